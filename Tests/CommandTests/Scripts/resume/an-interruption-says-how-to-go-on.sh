corpus random 24M >a
resumes() {
    spawn end env --default-signal=INT "$SLUICE" --resume -B1M --limit-rate=4M "$@" 2>said &
    await test -s .a.zst.part
    kill -INT "$(pid end)"
    ended end SIGINT
    rm end end.*
}
resumes a
grep -qx 'sluice: interrupted by SIGINT' said
grep -qx 'sluice: hint: the same command continues it' said
# It is so: nothing is asked, or said to be there.
works "$SLUICE" --resume -B1M a
"$SLUICE" -qdc a.zst | cmp - a
rm a.zst
# Also where a frame takes longer than a signal waits for it.
head -c 48M /dev/urandom | base64 -w0 >a
spawn end env --default-signal=INT "$SLUICE" --resume -T1 -B8M -19 a 2>said &
await test -s .a.zst.part
sleep 0.3
kill -INT "$(pid end)"
ended end SIGINT
grep -qx 'sluice: hint: the same command continues it' said || fail "$(cat said)"
# A full disk is no reason to begin again either.
small_disk disk 6M
fails "$SLUICE" --resume --on-full=fail -B1M a -o disk/a.zst
says 'no space left on device'
says 'hint: the same command continues it'
# Without --resume nothing is left, and nothing said.
spawn other env --default-signal=INT "$SLUICE" -f -B1M --limit-rate=4M a -o b.zst 2>said &
await has_temporary
kill -INT "$(pid other)"
ended other SIGINT
[ ! -s said ] || fail "$(cat said)"
