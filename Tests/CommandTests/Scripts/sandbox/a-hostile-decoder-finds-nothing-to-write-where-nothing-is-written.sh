source "$SCRIPTS/sandbox/tools.bash"
listen
bait inside
corpus text 100K >a
"$SLUICE" -q a -o inside/a.zst

# What lies beside the only operand can't even be read.
for words in "-t inside/a.zst" "-dc inside/a.zst" "-d -o /dev/stdout inside/a.zst" "-dc - <inside/a.zst"; do
    read -r -a words <<<"${words%<*}"
    hostile "$PWD/inside" "$SLUICE" -q "${words[@]}" <inside/a.zst >out
    all_refused inside
    [ "$(ls -A inside)" = $'a.zst\nsecret\nvictim' ] || fail "something was made or removed"
    [ "${words[0]}" = -t ] || same out a
done
