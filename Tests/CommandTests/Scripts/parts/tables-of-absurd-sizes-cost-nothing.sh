. "$SCRIPTS/statistics/tools.bash"
corpus text 300000 >plain
"$SLUICE" -q -B100K plain -o own.zst
wanted=$(perl -e 'open my $f, "<", "plain"; seek $f, 250000, 0; read $f, my $d, 10; print $d')
# The count of the footer, the descriptor, and sizes of the table: each is wrong in its own way, and believed in none.
python - <<'END'
import os, struct, subprocess
whole = open("own.zst", "rb").read()
count = struct.unpack_from("<I", whole, len(whole) - 9)[0]
table = len(whole) - 9 - 12 * count - 8
cases = [(len(whole) - 9, struct.pack("<I", n)) for n in (0, 1, count + 1, 0x8000000, 0xFFFFFFFF)]
cases += [(len(whole) - 5, bytes([n])) for n in (0, 1, 4, 0xFF)]
cases += [(table + 4, struct.pack("<I", n)) for n in (0, 0xFFFFFFFF)]
cases += [(table + 8 + 4 * k, struct.pack("<I", n)) for k in range(3 * count) if k % 3 < 2 for n in (0, 0xFFFFFFFF, 1 << 30)]
for place, number in cases:
    open("lie.zst", "wb").write(whole[:place] + number + whole[place + len(number):])
    run = subprocess.run([os.environ["SLUICE"], "-d", "--offset=250000", "--length=10", "lie.zst"], capture_output=True,
                         timeout=30, check=False)
    right = open("plain", "rb").read()[250000:250010]
    assert run.stdout == right and run.returncode == 0 or run.returncode == 1 and not run.stdout and run.stderr, (place, run)
# A table alone, of as many entries as there may be, in a file with a hole; and millions of empty frames.
with open("huge.zst", "wb") as file:
    file.write(open("own.zst", "rb").read())
    size = 12 * 0x8000000 + 9
    file.write(struct.pack("<II", 0x184D2A5E, size))
    file.truncate(file.tell() + size - 9)
    file.seek(0, 2)
    file.write(struct.pack("<IBI", 0x8000000, 0x80, 0x8F92EAB1))
with open("tiny.zst", "wb") as file:
    for _ in range(20):
        file.write((struct.pack("<II", 0x184D2A50, 0) + bytes.fromhex("28b52ffd2000010000")) * 50_000)
    file.write(open("own.zst", "rb").read())
END
for file in huge.zst tiny.zst; do
    peak=$(perl "$SCRIPTS/peak.pl" timeout 60 "$SLUICE" -d --offset=250000 --length=10 $file -o part -f | tail -n 1)
    [ "$(cat part)" = "$wanted" ] || fail "$file"
    [ "$peak" -lt 65536 ] || fail "$peak KiB for $file"
done
