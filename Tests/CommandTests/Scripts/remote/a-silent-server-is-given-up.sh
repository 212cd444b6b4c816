# A server that sends nothing is given up after --timeout seconds, and signals do not wait for it.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web
corpus random 3M >plain
works "$SLUICE" -q -B128K plain -o web/a.zst
serve web
# With one that is silent only once, there is one more try.
for where in start header body; do
    start=$(now)
    works timeout 60 "$SLUICE" -dcqv --timeout=1 "$url/~from=2&times=1&silent=$where/a.zst" >got
    same got plain
    says 'trying again in'
    awk -v start="$start" -v end="$(now)" 'BEGIN { exit !(end - start < 3) }' || fail "from $start to $(now)"
done
if is_long; then
    fails timeout 100 "$SLUICE" -dqv --timeout=1 "$url/~silent=start/a.zst"
    says 'nothing came from the server for 1 s, 6 times'
fi
# Slow is not silent.
works timeout 100 "$SLUICE" -dcq --timeout=2 "$url/~slow=0.05/a.zst" >got
same got plain
# Nor is a reader that takes its time: what waits for it is no fault of the server.
works timeout 100 "$SLUICE" -dcq --timeout=1 --limit-rate=700K "$url/a.zst" >got
same got plain
works timeout 100 "$SLUICE" -dcq --timeout=1 --limit-rate=700K "$url/~no-ranges/a.zst" >got
same got plain

# A signal ends it at once, wherever it waits, also between two tries.
run=0
for words in silent=start silent=header silent=body 'no-ranges&silent=body' 'from=2&silent=start' 'from=2&silent=body' \
    'status=503&retry-after=60' 'from=2&status=503&retry-after=60' 'headers=cut' 'slow=0.5'; do
    for signal in INT TERM; do
        for command in -d -l '-t --against=plain' '-d --member=x' -z; do
            # A listing is over before the second request.
            [[ $command != -l || $words != from=* ]] || continue
            # Neither do without ranges.
            [[ $command != -[ld]\ * && $command != -l || $words != no-ranges* ]] || continue
            run=$((run + 1))
            ! is_long && ((run % 3)) && continue
            asking "$words" a.zst
            requests web >/dev/null
            # shellcheck disable=SC2086  # several words
            spawn status "$SLUICE" -q $command "$asked" 2>"$messages" &
            process=$(pid status)
            sleep 0.7
            since=$(now)
            kill -$signal "$process"
            ended status SIG$signal 1 "$since"
            silent
            absent a a.zst.zst
            no_leftovers
            rm -f status status.pid status.time
        done
    done
done
# A connection that is not accepted: the address is reserved for documentation.
spawn status "$SLUICE" -dq http://192.0.2.1/a.zst 2>"$messages" &
process=$(pid status)
sleep 0.5
since=$(now)
kill -INT "$process"
[ -e status.time ] || ended status SIGINT 1 "$since"
