# 10 GiB of one stretch of data, again and again, which takes little room: each frame is compressed once.
. "$SCRIPTS/statistics/tools.bash"
corpus text 64K >stretch
for _ in {1..128}; do cat stretch; done >plain
zstd -q -1 --check plain -o frame.zst
python - <<'END'
import struct
frame = open("frame.zst", "rb").read()
checksum = struct.unpack("<I", frame[-4:])[0]
with open("large.zst", "wb") as file:
    for _ in range(1280):
        file.write(frame)
    entries = struct.pack("<III", len(frame), 8 << 20, checksum) * 1280
    file.write(struct.pack("<II", 0x184D2A5E, len(entries) + 9) + entries + struct.pack("<IBI", 1280, 0x80, 0x8F92EAB1))
END
peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -v -d --offset=5G --length=1M large.zst -f -o part 2>"$messages" | tail -n 1)
same part <(head -c 1M plain)
bound=$(allowed)
awk -v peak="$peak" -v bound="$bound" 'BEGIN { exit !(peak / 1024 <= bound) }' || fail "$peak KiB, which is more than $bound MiB"
# All of it, in order, on all workers: as much memory as decompression has.
peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -v -T4 -d --offset=1 --length=2G large.zst -f -o /dev/null 2>"$messages" | tail -n 1)
bound=$(allowed)
awk -v peak="$peak" -v bound="$bound" 'BEGIN { exit !(peak / 1024 <= bound) }' || fail "$peak KiB, which is more than $bound MiB"
# Processor time, the best of seven: twice the start and one frame's decoding, whatever else the machine does.
python - <<'END'
import os, subprocess
sluice = os.environ["SLUICE"]
def best(*words):
    times = []
    for _ in range(7):
        process = subprocess.Popen([sluice, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, words
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times)
frame, start = best("-dc", "frame.zst"), best("--version")
part = best("-d", "--offset=5G", "--length=1M", "large.zst")
print(f"start-up {start * 1e3:.1f} ms, a frame {frame * 1e3:.1f} ms, 1 MiB of 10 GiB {part * 1e3:.1f} ms")
assert part <= 2 * start + frame + 0.03, (start, frame, part)
END
