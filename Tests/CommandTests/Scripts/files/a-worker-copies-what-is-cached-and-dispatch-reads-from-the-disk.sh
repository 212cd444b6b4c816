. "$SCRIPTS/statistics/tools.bash"
# Frames of 1 MiB by as many workers as there are processors: a copy by another thread would take one of theirs.
corpus text 48M >a
sync a
cat a >/dev/null
python -c 'import os
os.preadv(os.open("a", os.O_RDONLY), [bytearray(1)], 0, os.RWF_NOWAIT)' || skip "nobody tells here what is cached"
works "$SLUICE" -qf -1 -B1M --read=dispatch a
mv a.zst whole.zst
calls() { grep -cE "(^|[ >])$1\([0-9]+<$PWD/a>, .*, 1048576(, [0-9]+)?\) *= 1048576" "$LOGS/strace" || :; }
traced() { strace -f -y -qq -s0 --seccomp-bpf -o "$LOGS/strace" -e trace=read,pread64 "$@" 2>"$messages"; }
traced "$SLUICE" -qf -1 -B1M a
# The first ones are Dispatch's; calls that strace shows in two halves are not counted.
[ "$(calls pread64)" -ge 12 ]
same a.zst whole.zst
# The second half is not cached: Dispatch reads it, and begins again what it knows.
dd if=a iflag=nocache bs=1M skip=24 count=0 status=none
for threads in 1 2 3; do
    traced "$SLUICE" -qf -1 -B1M -T$threads a
    same a.zst whole.zst
    dd if=a iflag=nocache bs=1M skip=24 count=0 status=none
done
dd if=a iflag=nocache count=0 status=none
traced "$SLUICE" -qf -1 -B1M a
same a.zst whole.zst
