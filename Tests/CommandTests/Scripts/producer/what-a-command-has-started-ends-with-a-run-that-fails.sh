# A run that fails or is interrupted ends what its command has started, and that of those; one that succeeds leaves it.
no_process() { ! pgrep -f -- "$1" >/dev/null; }
gone() {
    await no_process "$1"
    absent out.zst
    no_leftovers
}
corpus random 300K >data
# A shell that starts a program dies of the signal, and the program would not.
for signal in TERM INT HUP KILL; do
    spawn status "$SLUICE" -q -o out.zst --from-command -- sh -c "cat data; sleep 61.$$; true" &
    await pgrep -f -- "^sleep 61.$$" >/dev/null
    since=$(now)
    kill -$signal "$(pid status)"
    ended status SIG$signal 4 "$since"
    gone "^sleep 61.$$"
    rm status*
done
# It fails by itself, and leaves children, and theirs, in sessions of their own.
fails "$SLUICE" -o out.zst --from-command -- bash -c "
    sleep 62.$$ & setsid sleep 62.$$ & (setsid bash -c 'sleep 62.$$ & sleep 62.$$' &) ; sleep 0.3; cat data; exit 3"
says 'exited with status 3'
gone "sleep 62.$$"
# Those that don't hear SIGTERM are killed two seconds later.
since=$(now)
fails "$SLUICE" -o out.zst --from-command -- bash -c "
    (trap '' TERM; while :; do sleep 0.1; done; : deaf $$) & cat data; sleep 0.3; exit 3"
awk -v end="$(now)" -v since="$since" 'BEGIN { exit !(end - since < 6) }' || fail "it takes too long"
gone "deaf $$"
# The output can't be written.
small_disk disk 2M
fails "$SLUICE" -B64K -o disk/out.zst --from-command -- sh -c "sleep 63.$$ & cat data data data data data data data data data; sleep 63.$$"
gone "^sleep 63.$$"
umount disk
# What is killed and restarted is not spared.
fails "$SLUICE" -o out.zst --from-command -- bash -c "
    (while :; do sleep 64.$$; done) & cat data; sleep 0.3; kill -9 \$\$"
says 'killed by signal 9'
gone "sleep 64.$$"
# A run that succeeds leaves what the command left, such as a daemon.
works "$SLUICE" -q -o out.zst --from-command -- sh -c "sleep 65.$$ >/dev/null & cat data"
silent
pgrep -f -- "^sleep 65.$$" >/dev/null || fail "it was ended"
pkill -f -- "^sleep 65.$$"
zstd -dcq out.zst | cmp - data
# Who still has the pipe may write to it: that is said.
works "$SLUICE" -f -o out.zst --from-command -- sh -c "sleep 66.$$ & cat data"
says 'warning: sh has exited, but a process that it started still has its output open'
pgrep -f -- "^sleep 66.$$" >/dev/null || fail "it was ended"
pkill -f -- "^sleep 66.$$"
zstd -dcq out.zst | cmp - data
# Not if it ends at the same time.
works "$SLUICE" -qf -o out.zst --from-command -- sh -c "sleep 0.01 & cat data"
silent
