needs pzstd
. "$SCRIPTS/statistics/tools.bash"
corpus text 6M >plain
pzstd -q -1 -p 2 plain -o x.zst
part() { "$SLUICE" -d -v --offset=4M --length=1000 --index=x.index "$@" 2>"$messages"; }
python -c 'import sys; sys.stdout.buffer.write(open("plain", "rb").read()[4194304:4195304])' >wanted
same <(part x.zst) wanted
says 'found by decoding everything once'
same <(part x.zst) wanted
says 'found by the index'
# It is a frame, which anybody can look into.
zstd -dcq <x.index >raw
[ "$(head -c 8 raw)" = SLUICEIX ]
cp x.index whole
# Damage, wherever: it is no index of this file, and it stays.
python - <<'END'
import os, subprocess
whole = open("whole", "rb").read()
for place in range(0, len(whole), 1 if os.environ.get("SLUICE_TESTS") == "long" else 3):
    open("x.index", "wb").write(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1:])
    run = subprocess.run([os.environ["SLUICE"], "-d", "--range=4194304-4195303", "--index=x.index", "x.zst"],
                         capture_output=True, timeout=60, check=False)
    assert run.returncode == 1 and not run.stdout and (
        b"x.index is not its index" in run.stderr or b"x.index is not a valid index file" in run.stderr), (place, run)
END
rm x.index
part x.zst | sha256sum >/dev/null
works "$SLUICE" -d --tail=5 --index=x.index x.zst >/dev/null
# One of another file, which is as long.
tail -c 3M plain >moved
head -c 3M plain >>moved
pzstd -q -1 -p 2 moved -o other
truncate -s "$(size x.zst)" other
cp whole x.index
fails "$SLUICE" -d --tail=5 --index=x.index other >/dev/null
says 'x.index is not its index'
same whole x.index
pzstd -q -1 -p 2 moved -o second
works "$SLUICE" -d -f --tail=5 --index=x.index second >/dev/null
if cmp -s whole x.index; then fail 'it was not made anew'; fi
# Another file gives way to no index: it may be the dictionary, or a text of somebody's.
echo text >notes
zstd -qf notes -o notes.zst
for name in notes notes.zst; do
    cp $name kept
    fails "$SLUICE" -d -f --tail=5 --index=$name x.zst
    says "$name is not a valid index file"
    same kept $name
done
# Nor is it the output.
fails "$SLUICE" -d -f --tail=5 --index=same x.zst -o ./same
says 'same: is named for two outputs'
absent same
: >empty
works "$SLUICE" -d -f --tail=5 --index=empty x.zst >/dev/null
works "$SLUICE" -d --tail=5 --index=empty x.zst >/dev/null
# What is no frame can't be decoded for itself, and no index is made of it.
{ zstd -qc notes; gzip -c plain; } >mixed
fails "$SLUICE" -d --tail=5 --index=mixed.index mixed
says "its frames can't be located"
absent mixed.index
works "$SLUICE" -d --length=3 mixed >part
[ "$(cat part)" = tex ]
# One that was made to lie: its frames say other sizes when they are decoded.
lie() {
    zstd -dcq <whole >raw
    python -c '
import struct, sys
data = bytearray(open("raw", "rb").read())
entry, change = int(sys.argv[1]), int(sys.argv[2])
place = 16 + 20 * entry + 8
data[place:place + 8] = struct.pack("<Q", struct.unpack_from("<Q", data, place)[0] + change)
open("raw", "wb").write(data)' "$1" "$2"
    zstd -qcf raw >x.index
}
entries=$((($(zstd -dcq <whole | wc -c) - 16) / 20))
for ((entry = 1; entry < entries; entry++)); do
    for change in 1 -1 1000; do
        lie $entry $change
        "$SLUICE" -d --range=0- --index=x.index x.zst >part 2>"$messages" && fail "entry $entry was believed"
        grep -qE 'corrupt frame|is not its index|is not a valid index file' "$messages" || fail "$(cat "$messages")"
        prefix_of part plain
    done
done
# What is no file, and the file itself, are none, whatever -f says.
cp x.zst before
ln x.zst same
mkfifo pipe
for name in x.zst same pipe /dev/zero; do
    fails timeout 20 "$SLUICE" -d -f --tail=5 --index=$name x.zst
    says 'is not a valid index file'
done
same before x.zst
# Where a table is, none is needed.
works "$SLUICE" -q -B1M plain -o own.zst
works "$SLUICE" -d --tail=5 --index=own.index own.zst >/dev/null
absent own.index
