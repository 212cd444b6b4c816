# The run fails: the command gets SIGTERM, and if that does not end it SIGKILL after two seconds.
await_none() { await no_process "$1"; }
no_process() { ! pgrep -f -- "$1" >/dev/null; }
corpus random 1M >data
cat >producer <<'EOF'
#!/bin/bash
# Writes for ever; says which signal ended it.
for name in INT TERM HUP; do
    # shellcheck disable=SC2064
    trap "echo $name >>$1.signals; $2 exit 1" $name
done
echo $$ >"$1.pid"
while cat data; do :; done 2>/dev/null
# Its reader has gone.
sleep 30 & wait
EOF
chmod +x producer
small_disk disk 4M
since=$(now)
fails "$SLUICE" -B1M -o disk/full.zst --from-command -- "$PWD/producer" full ''
says 'disk/full.zst: can'
await_none 'producer full'
absent disk/full.zst
no_leftovers disk
awk -v end="$(now)" -v since="$since" 'BEGIN { exit !(end - since < 10) }'
fails "$SLUICE" -B1M -o disk/full.zst --from-command -- bash -c 'trap "" TERM; cat data data data data data data; while :; do sleep 0.1; done # stubborn'
await_none '# stubborn'
umount disk
# A reader that leaves.
code=0
"$SLUICE" -qc --from-command -- "$PWD/producer" left '' 2>/dev/null | head -c 10 >/dev/null || code=$?
await_none 'producer left'
# Signals are passed on, and the process ends by the same one after the command.
for signal in INT TERM HUP; do
    spawn status "$SLUICE" -q -o out.zst --from-command -- "$PWD/producer" "$signal" 'sleep 0.5;' &
    await test -s $signal.pid
    sleep 0.2
    kill -$signal "$(pid status)"
    ended status SIG$signal
    [ "$(cat $signal.signals)" = "$signal" ] || fail "$signal: the command got $(cat $signal.signals)"
    if kill -0 "$(cat $signal.pid)" 2>/dev/null; then fail "$signal: it outlives the run"; fi
    absent out.zst
    rm status*
done
# One that ignores them is killed.
spawn status "$SLUICE" -q -o out.zst --from-command -- bash -c 'trap "" INT TERM; cat data; while :; do sleep 0.1; done # deaf' &
await pgrep -f -- '# deaf' >/dev/null
sleep 0.5
since=$(now)
kill -INT "$(pid status)"
ended status SIGINT 5 "$since"
await_none '# deaf'
rm status*
# We are killed: it does not go on.
spawn status "$SLUICE" -q -o out.zst --from-command -- bash -c 'cat data; while :; do sleep 0.1; done # orphan' &
await pgrep -f -- '# orphan' >/dev/null
sleep 0.3
kill -KILL "$(pid status)"
await_none '# orphan'
absent out.zst
rm status*
# At whatever moment: the old file or the new one, and no process.
"$SLUICE" -q -B64K data -o old.zst
"$SLUICE" -q -c -B64K --from-command -- cat data data >new
rounds=25
! is_long || rounds=300
for ((round = 0; round < rounds; round++)); do
    cp old.zst it.zst
    spawn status "$SLUICE" -qf -B64K -o it.zst --from-command -- sh -c 'cat data; cat data # round' 2>/dev/null &
    pid status >/dev/null
    sleep "$(awk -v round=$round -v rounds=$rounds 'BEGIN { print 0.12 * round / rounds }')"
    case $((round % 3)) in 0) signal=INT ;; 1) signal=TERM ;; 2) signal=KILL ;; esac
    kill -$signal "$(pid status)" 2>/dev/null || true
    await test -s status
    cmp -s it.zst old.zst || same it.zst new
    # Between the two calls that replace a file, a kill can leave its first name.
    if [ $signal = KILL ]; then find . -name '.*.tmp' -delete; fi
    no_leftovers
    rm status*
done
await_none '# round'
