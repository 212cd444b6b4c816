needs lz4 xz python3
source "$SCRIPTS/formats/make.bash"
# Much from little: the peak is what -v says at most.
head -c 120M /dev/zero | gzip -1 >bomb.gz
head -c 120M /dev/zero | lz4 -q -c >bomb.lz4
head -c 90M /dev/zero | xz -0 -c >bomb.xz
corpus random 300K >random
gzip -1 -c random >member
for index in {1..60}; do cat member; done >members.gz
# A header in each 20 bytes.
gzip -c </dev/null >empty
perl -e 'local $/; my $e = <>; print $e x 30_000' empty >empties.gz
for name in bomb.gz bomb.lz4 bomb.xz members.gz empties.gz; do
    for threads in 1 4; do
        peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -v -T$threads -t $name 2>"$messages" | tail -n 1)
        bound=$(allowed)
        [ -n "$bound" ] || fail "no bound: $(cat "$messages")"
        awk -v peak="$peak" -v bound="$bound" 'BEGIN { exit !(peak / 1024 <= bound && peak / 1024 < 64) }' ||
            fail "$name: $peak KiB, where $bound MiB are the bound"
    done
done
# A reader that is slow does not fill the memory.
peak=$(perl "$SCRIPTS/peak.pl" bash -c '"$SLUICE" -dc bomb.gz | (sleep 1; head -c 1000 >/dev/null)' | tail -n 1)
[ "$peak" -lt 60000 ] || fail "$peak KiB before a slow reader"
# What needs more than the limit is refused, with what to say.
# As xz makes it with a dictionary of 1 GiB, for which it would clear as much memory.
env -u BASH_ENV python3 - <<'END'
import lzma, struct, zlib
content = open("member", "rb").read()
alone = bytearray(lzma.compress(content, format=lzma.FORMAT_ALONE, preset=0))
alone[1:5] = struct.pack("<I", 1 << 30)
whole = bytearray(lzma.compress(content, preset=0))
# The header of the block, behind that of the stream: its size, flags, and LZMA2 with a byte for its dictionary.
end = 12 + 4 * whole[12]
assert whole[13:16] == b"\x00\x21\x01"
whole[16] = 36
whole[end:end + 4] = struct.pack("<I", zlib.crc32(whole[12:end]))
open("huge.lzma", "wb").write(alone)
open("huge.xz", "wb").write(whole)
END
for format in xz lzma; do
    mv huge.$format huge
    # xz reads it.
    xz -dc --format=$format huge | cmp - member
    fails "$SLUICE" -dc huge >out
    [ ! -s out ]
    says 'MiB of memory, the limit is 129 MiB'
    says 'hint: decompress with --memory=1'
    works "$SLUICE" -dc "$(sed -n 's/.*\(--memory=[0-9]*MiB\).*/\1/p' "$messages")" huge >out
    same out member
    works "$SLUICE" -dc --long=30 huge >out
    fails "$SLUICE" -t -M64M huge
done
# 64 MiB is what xz -9 takes.
xz -9 -c member | works "$SLUICE" -qt
# The window of a frame is looked at there too.
cat member "$FIXTURES/window-2GiB.zst" >mixed
fails "$SLUICE" -dc -M1024MB mixed >out
says 'needs a window of 2048 MiB'
same out random
# Headers that claim much and have nothing: whatever they say, the peak is what -v says at most.
env -u BASH_ENV python3 - <<'END'
import struct, zlib

def number(value):
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + number(value >> 7)

def xz(compressed, content, count):
    """Blocks that claim sizes, with zeros in them that take no room."""
    flags = b"\0\1"
    header = b"\xC0" + number(compressed) + number(content) + b"\x21\x01\x00"
    header += bytes(-(len(header) + 1) % 4)
    header = bytes([(len(header) + 1) // 4]) + header
    header += struct.pack("<I", zlib.crc32(header))
    with open(f"claims-{compressed >> 10}-{content}.xz", "wb") as file:
        file.write(b"\xFD7zXZ\0" + flags + struct.pack("<I", zlib.crc32(flags)))
        for _ in range(count):
            file.write(header)
            file.seek((len(header) + compressed + 3) // 4 * 4 - len(header) + 4, 1)
        file.truncate(file.tell())

xz(16 << 20, 1, 40)
xz(1 << 20, 7, 200)
xz(24 << 20, 24 << 20, 20)
xz(100, 1 << 60, 10)
# The most that members of gzip can claim, of nothing.
extra = struct.pack("<BBHH", 66, 67, 2, 0xFFFF)
member = struct.pack("<BBBBIBBH", 31, 139, 8, 4, 0, 0, 255, len(extra)) + extra
with open("claims.gz", "wb") as file:
    for _ in range(4000):
        file.write(member)
        file.seek(65536 - len(member), 1)
    file.truncate(file.tell())
# A size of exabytes, and blocks of 4 MiB.
with open("claims.lz4", "wb") as file:
    descriptor = bytes([0x68, 0x70]) + struct.pack("<Q", 1 << 60)
    file.write(struct.pack("<I", 0x184D2204) + descriptor + b"\0")
    file.truncate(500 << 20)
with open("claims.lzma", "wb") as file:
    file.write(b"\x5D" + struct.pack("<IQ", 1 << 23, 1 << 60))
    file.truncate(2 << 20)
with open("claims.zst", "wb") as file:
    # A frame of exabytes, whose blocks are the largest, and raw.
    file.write(struct.pack("<IB", 0xFD2FB528, 0xC0) + b"\x60" + struct.pack("<Q", 1 << 60))
    for _ in range(100):
        file.write(struct.pack("<I", (1 << 17) << 3)[:3])
        file.seek(1 << 17, 1)
    file.truncate(file.tell())
END
for name in claims*; do
    for words in -T1 -T4 '-T4 -M256M'; do
        peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -v $words -t $name 2>"$messages" | tail -n 1)
        bound=$(allowed)
        [ -n "$bound" ] || fail "no bound: $(cat "$messages")"
        grep -q '^sluice: ' "$messages" || fail "$name was taken for right"
        awk -v peak="$peak" -v bound="$bound" 'BEGIN { exit !(peak / 1024 <= bound) }' ||
            fail "$name $words: $peak KiB, where $bound MiB are the bound"
    done
done
