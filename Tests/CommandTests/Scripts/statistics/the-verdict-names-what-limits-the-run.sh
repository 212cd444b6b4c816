# Slow: more than most.
. "$SCRIPTS/statistics/tools.bash"
needs_schema
corpus text 8M >a
corpus random 6M >r
"$SLUICE" -B1M -1 --limit-rate=4M a -o rate.zst --stats-file=rate &
dd if=a bs=64K status=none | perl -e 'while (read STDIN, $b, 65536) { syswrite STDOUT, $b; select undef, undef, undef, 0.015 }' |
    "$SLUICE" -B1M -1 --stats-file=input >/dev/null &
"$SLUICE" -B1M -1 --stats-file=output <r | perl -e 'while (sysread STDIN, $b, 65536) { select undef, undef, undef, 0.025 }' &
"$SLUICE" --copy r -c --stats-file=copied | perl -e 'while (sysread STDIN, $b, 65536) { select undef, undef, undef, 0.025 }' &
wait
check rate 'limitedBy == "rate"' '"--limit-rate" in verdict'
check input 'limitedBy == "input"' 'workerUtilisation < 0.5'
check output 'limitedBy == "output"' '"writing took" in verdict'
check copied 'limitedBy == "output"'
"$SLUICE" -q -B1M -T2 -19 a -o work.zst --stats-file=work
# On a busy machine, other processes keep the workers from the CPUs; and at the end one worker has no chunk any more, so
# that there are many.
check work 'limitedBy in ("work", "processors")' 'workerUtilisation > 0.3' '"both workers" in verdict or "the CPUs" in verdict'
# It takes milliseconds, in which a busy machine may hold up anything.
is_small() {
    head -c 1000 a | "$SLUICE" --stats-file=size >/dev/null
    grep -qE '"limitedBy" *: *"(size|input)"' size
}
await is_small
