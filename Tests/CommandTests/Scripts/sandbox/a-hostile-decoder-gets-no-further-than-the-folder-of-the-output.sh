source "$SCRIPTS/sandbox/tools.bash"
listen
mkdir inside
corpus text 100K >inside/a
cp inside/a inside/b
"$SLUICE" -q inside/a inside/b
corpus zeros 40M >large
zstd -q -1 large -o large.zst
rm inside/a inside/b

# One file, in a worker of its pipeline; several, in the loops of a batch; one frame that is streamed.
one=("$SLUICE" -q -d -f inside/a.zst)
several=("$SLUICE" -q -d -f inside/a.zst inside/b.zst)
streamed=("$SLUICE" -q -d -f large.zst -o inside/large)
export BESIDE=$PWD/inside

# Without the sandbox every attempt succeeds: they are what they say.
for command in one several streamed; do
    declare -n words=$command
    bait outside
    hostile "$PWD/outside" "${words[@]}" --no-sandbox
    if grep -v ': done$' attempts >&9; then fail "$command: the decoder is not hostile enough"; fi

    bait outside
    hostile "$PWD/outside" "${words[@]}"
    all_refused outside
    [ "$(ls -A outside | wc -l)" = 2 ] || fail "something was made outside"
    [ "$(cat outside/secret)" = secret ] || fail "the secret was changed"
    [ "$(grep -c ' beside: done' attempts)" = 2 ] || fail "the folder of the output is closed"
    absent inside/made
done
same inside/a inside/b
same inside/large large
