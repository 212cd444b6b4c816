# A stream without an end of its own ends by a signal: what was read is written, with the table, and then the signal does
# its work.
follow() {
    mkfifo "$1"
    exec 8<>"$1"
    printf 'line 1\n' >&8
}
for signal in INT TERM HUP; do
    follow data-$signal
    spawn ended-$signal "$SLUICE" -q --flush-interval=0.1 <data-$signal >live-$signal.zst &
    await test -s live-$signal.zst
    printf 'line 2\n' >&8
    frames() { [ "$(zstd -dcq live-$signal.zst 2>/dev/null | wc -l)" = 2 ]; }
    await frames
    # What has not waited long enough goes out at the end.
    printf 'line 3\n' >&8
    kill -$signal "$(pid ended-$signal)"
    ended ended-$signal SIG$signal
    exec 8>&-
    [ "$(zstd -dcq live-$signal.zst | head -n 2)" = $'line 1\nline 2' ]
    works "$SLUICE" -q -t live-$signal.zst
    [ "$("$SLUICE" -l live-$signal.zst | awk 'NR == 2 { print $NF, $(NF - 1) }')" = "live-$signal.zst yes" ]
done
# A file gets its name, and all that came.
follow data-file
spawn ended-file "$SLUICE" -q --flush-interval=0.1 -o file.zst <data-file &
await has_temporary .
sleep 0.3
kill -TERM "$(pid ended-file)"
ended ended-file SIGTERM
exec 8>&-
[ "$(zstd -dcq file.zst)" = 'line 1' ]
no_leftovers
# timeout signals the process and then its group: that is one signal.
for attempt in {1..5}; do
    mkfifo pair-$attempt
    exec 8<>pair-$attempt
    printf 'line %s\n' $attempt >&8
    spawn ended-pair "$SLUICE" -q --flush-interval=20 <pair-$attempt >pair.zst &
    rm -f ended-pair*
    sleep 0.4
    pair=$(pid ended-pair)
    kill -TERM "$pair"
    # It may have ended already.
    kill -TERM "$pair" 2>/dev/null || true
    kill -INT "$pair" 2>/dev/null || true
    ended ended-pair SIGTERM
    exec 8>&-
    [ "$(zstd -dcq pair.zst)" = "line $attempt" ]
    rm -f ended-pair*
done
# A second signal waits for nobody: the reader takes nothing.
follow data-two
mkfifo stuck
exec 7<>stuck
spawn ended-two "$SLUICE" -q --flush-interval=0.1 -B1M -1 <data-two >stuck &
corpus random 3M >&8 &
sleep 1
kill -TERM "$(pid ended-two)"
sleep 1
[ ! -s ended-two ] || fail "the first signal did not wait for the reader"
since=$(now)
kill -TERM "$(pid ended-two)"
ended ended-two SIGTERM 2 "$since"
exec 8>&- 7>&-
# KILL leaves no table, and what ends between two frames is whole all the same; what ends within one is not.
follow data-kill
spawn ended-kill "$SLUICE" -q --flush-interval=0.1 <data-kill >kill.zst &
for count in 1 2 3; do
    printf 'more %s\n' $count >&8
    lines() { [ "$(zstd -dcq kill.zst 2>/dev/null | wc -l)" = $((count + 1)) ]; }
    await lines
done
kill -KILL "$(pid ended-kill)"
ended ended-kill SIGKILL
exec 8>&-
works "$SLUICE" -q -t kill.zst
head -c -3 kill.zst >cut.zst
fails "$SLUICE" -q -t cut.zst
# A file that is read has an end of its own: a signal leaves nothing of it under the name.
corpus text 20M >a
spawn ended-plain "$SLUICE" -q --flush-interval=0.1 --limit-rate=4M a -o plain.zst &
await has_temporary .
kill -INT "$(pid ended-plain)"
ended ended-plain SIGINT
absent plain.zst
no_leftovers
