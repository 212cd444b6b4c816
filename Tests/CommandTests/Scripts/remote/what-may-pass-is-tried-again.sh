# A request that fails for a reason that may pass is made again, up to five times, with growing pauses; -v tells.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web
corpus random 3M >plain
works "$SLUICE" -q -B128K plain -o web/a.zst
serve web
tries() { grep -c "trying again" "$messages" || true; }
for words in status=500 status=502 status=503 status=504 status=429 status=408 drop-connection headers=cut; do
    for first in 1 2; do
        asking "from=$first&times=2&$words" a.zst
        works "$SLUICE" -dcqv --timeout=5 "$asked" >got
        same got plain
        # libcurl itself goes on from a kept connection that was closed to a new one.
        least=2
        [ "$words" != drop-connection ] || least=1
        [ "$(tries)" = 2 ] || [ "$(tries)" = $least ] || fail "$words: $(cat "$messages")"
        says "$url/"
        asking "from=$first&times=1&$words" a.zst
        works "$SLUICE" -dcq --timeout=5 "$asked" >got
        silent
    done
done
# What was received already is not asked for again, but for the end, which is read first.
requests web >/dev/null
works "$SLUICE" -dcqv "$url/~from=2&times=3&short=300000/a.zst" >got
same got plain
[ "$(tries)" = 3 ] || fail "$(cat "$messages")"
read -r count bytes < <(requests web)
[ "$bytes" -lt $(($(size web/a.zst) + 66000)) ] || fail "$bytes bytes in $count requests"
# Every answer is short.
works "$SLUICE" -dcqv "$url/~short=1100000/a.zst" >got
same got plain
# A body whose end is lacking, though all of the bytes have come.
works "$SLUICE" -dcq "$url/~chunked&short=99999999/a.zst" >got
same got plain
# Five times, with pauses that grow: 0.25, 0.5, 1, 2 and 4 s, and up to half as much more.
start=$(now)
exits 1 "$SLUICE" -dqv "$url/~status=503/a.zst"
awk -v start="$start" -v end="$(now)" 'BEGIN { exit !(end - start > 7 && end - start < 14) }' || fail "from $start to $(now)"
[ "$(tries)" = 5 ] || fail "$(cat "$messages")"
says '(5 of 5)'
says 'the server answered with status 503'
absent a
# A server says when.
start=$(now)
works "$SLUICE" -dcqv "$url/~status=429&times=1&retry-after=2/a.zst" >got
awk -v start="$start" -v end="$(now)" 'BEGIN { exit !(end - start > 2 && end - start < 5) }' || fail "from $start to $(now)"
grep -q '^sluice: http.*trying again in 2.0 s (1 of 5)' "$messages" || fail "$(cat "$messages")"
works "$SLUICE" -dcqv "$url/~status=503&times=1&retry-after=$(LC_ALL=C date -u -d '+3 seconds' '+%a,%%20%d%%20%b%%20%Y%%20%H:%M:%S%%20GMT')/a.zst" >got
grep -qE 'trying again in [23]\.0 s' "$messages" || fail "$(cat "$messages")"
start=$(now)
fails "$SLUICE" -dq "$url/~status=503&retry-after=100000/a.zst"
says 'wants to be asked again in 100000 seconds'
# Nonsense is no time.
for nonsense in -5 never 99999999999999999999; do
    works "$SLUICE" -dcq "$url/~status=503&times=1&retry-after=$nonsense/a.zst" >got
done
awk -v start="$start" -v end="$(now)" 'BEGIN { exit !(end - start < 4) }' || fail "from $start to $(now)"
# Nobody listens.
kill "${servers[0]}"
wait "${servers[0]}" || true
exits 1 "$SLUICE" -dqv "$url/a.zst"
[ "$(tries)" = 5 ] || fail "$(cat "$messages")"
says "$url/a.zst: "
# What stays is not tried again.
serve web
for status in 400 401 403 404 410 412 416 451 505; do
    exits 1 "$SLUICE" -dqv "$url/~status=$status/a.zst"
    [ "$(tries)" = 0 ] || fail "$(cat "$messages")"
done
