# From a server without ranges, parts, recovery, an index and a comparison are refused, with the command that makes a file.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web
corpus text 300K >plain
works "$SLUICE" -q plain -o web/a.zst
serve web
for words in '-d --part=1/2' '-d --recover' '-d --tail=5 --index=i'; do
    # shellcheck disable=SC2086  # several words
    fails "$SLUICE" -q $words "$url/~no-ranges/a.zst"
    says 'does not answer requests for ranges, which --'
    says "curl -LO '$url/~no-ranges/a.zst' makes a file of it here"
    absent a
    absent i
done
fails "$SLUICE" -tq --against="$url/~no-ranges/a.zst" web/a.zst
says 'which --against needs'
says "curl -LO '$url/~no-ranges/a.zst' makes a file of it here"
