# What zfs send writes: records of up to 128 KiB, each behind a header of 312 bytes, with pauses where blocks are looked up,
# and a burst where they follow each other. Sent as backup scripts do, both ways, with a level that follows the pace.
source "$SCRIPTS/programs/names.bash"
. "$SCRIPTS/statistics/tools.bash"
corpus text 1M >text
cat >send.py <<'PYTHON'
import random, struct, sys, time
rng, text = random.Random(7), open("text", "rb").read()
out = sys.stdout.buffer
for number in range(400):
    size = rng.choice([512, 4096, 131072, 131072, 131072])
    out.write(struct.pack("<IIQQ", 3, size, number, rng.getrandbits(64)).ljust(312, b"\0"))
    start = rng.randrange(len(text) - size)
    out.write(rng.randbytes(size) if number % 5 == 0 else text[start:start + size])
    if number % 40 == 0:
        out.flush()
        time.sleep(0.05)
PYTHON
python send.py >sent
python send.py | "$SLUICE" --adapt -c | "$SLUICE" -dc | cmp - sent
python send.py | zstd --adapt -c >one.zst
"$real" -dcq one.zst | cmp - sent
python send.py | "$SLUICE" --adapt=max=9 -c -T2 | "$real" -dcq | cmp - sent
# A receiver that leaves ends the sender too, and nothing hangs.
code=0
{ python send.py; cat text text text text; } | timeout 60 "$SLUICE" --adapt -c 2>said | python -c 'import sys; sys.stdin.buffer.read(100)' || code=$?
[ "$code" != 124 ] || fail 'it hangs when its reader has left'
