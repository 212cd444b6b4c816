. "$SCRIPTS/statistics/tools.bash"
# Frames of 1 MiB, by as many workers as there are processors: a copy by another thread would take one of theirs.
corpus text 48M >a
sync a
# The MiB that are in the page cache, whoever asks.
cached() {
    python -c 'import os
file = os.open("a", os.O_RDONLY)
def is_cached(offset):
    try: return os.preadv(file, [bytearray(1)], offset, os.RWF_NOWAIT) == 1
    except BlockingIOError: return False
print(sum(is_cached(mib << 20) and is_cached((mib + 1 << 20) - 1) for mib in range(48)))' 2>/dev/null || skip "nobody tells here what is cached"
}
read_by() { python -c 'import json
print(sum(e["args"]["bytes"] for e in json.load(open("trace")) if e["name"] == "read" and (e["tid"] >= 10) == ("'"$1"'" == "workers")) >> 20)'; }
compressed() { works taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" "$SLUICE" -qf -1 -B1M "$@" --trace=trace a; }
compressed --read=dispatch
[ "$(read_by workers)" = 0 ]
mv a.zst whole.zst
cat a >/dev/null
[ "$(cached)" = 48 ] || skip "what was read is not cached here"
compressed
same a.zst whole.zst
# With one processor there are one worker and three slots: for each page that a busy kernel takes out of the cache so
# many chunks are Dispatch's.
[ "$(read_by workers)" -ge 24 ]
# What is not cached is Dispatch's too; meanwhile the kernel reads ahead.
drop() { dd if=a iflag=nocache count=0 status=none; }
drop
[ "$(cached)" -lt 48 ] || skip "the page cache keeps what it is told to drop"
drop
compressed
same a.zst whole.zst
[ "$(read_by dispatch)" -ge 4 ]
# tmpfs does not know the question that ext4 answers.
trap 'rm -f /dev/shm/sluice-test.$$' EXIT
if mountpoint -q /dev/shm && cp a /dev/shm/sluice-test.$$ 2>/dev/null; then
    mv a b
    ln -s /dev/shm/sluice-test.$$ a
    compressed -c >shm.zst
    [ "$(read_by workers)" -ge 24 ]
    same shm.zst whole.zst
fi
