needs python3
. "$SCRIPTS/members/tools.bash"
tree
tars
cat gnu.tar pax1.0.tar >row.tar
tar -cf in.tar gnu.tar tree/text
head -c 10240 /dev/zero >none.tar
for name in *.tar; do
    tar -tvif "$name" >wanted
    works "$SLUICE" -q --members "$name"
    zstd -dcq "$name.zst" | cmp - "$name"
    works "$SLUICE" -l --members "$name.zst"  >listed
    same wanted listed
    # No summary follows, which would tell of a test.
    works "$SLUICE" -lv --members "$name.zst" 2>said >listed
    same wanted listed
    grep -q 'no errors' said && fail "$(cat said)"
    # One without an index is decoded for it.
    zstd -qc "$name" >foreign.zst
    works "$SLUICE" -l --members foreign.zst >listed
    same wanted listed
    rm -f index
    for _ in 1 2; do
        works "$SLUICE" -l --members --index=index foreign.zst >listed
        same wanted listed
    done
    gzip -1c "$name" >foreign.gz
    works "$SLUICE" -l --members foreign.gz >listed
    same wanted listed
done
# In another locale and another place, as there.
LC_ALL=C TZ=Asia/Tokyo tar -tvf gnu.tar >wanted
LC_ALL=C TZ=Asia/Tokyo works "$SLUICE" -l --members gnu.tar.zst >listed
same wanted listed
fails "$SLUICE" -l --members gnu.tar.zst >/dev/full
says "can't write standard output: no space left on device"
# The index alone is read.
dd if=/dev/zero of=gnu.tar.zst bs=1 seek=100 count=1000 conv=notrunc status=none
works "$SLUICE" -l --members gnu.tar.zst
fails "$SLUICE" -t gnu.tar.zst
# A list that ends early says so.
mkdir many
for ((number = 0; number < 5000; number++)); do : >"many/$number"; done
tar -cf many.tar many
works "$SLUICE" -q --members many.tar
works "$SLUICE" -l --members many.tar.zst >wanted
env -u BASH_ENV python3 - <<'PY'
import struct
with open("many.tar.zst", "r+b") as file:
    content = bytearray(file.read())
    # The last byte of the last block of the index, in front of the seek table.
    (count,) = struct.unpack("<I", content[-9:-5])
    content[-(8 + count * (12 if content[-5] & 0x80 else 8) + 9) - 1] ^= 1
    file.seek(0)
    file.write(content)
PY
fails "$SLUICE" -l --members many.tar.zst >listed
says 'many.tar.zst: the index of its members is damaged: the list is incomplete'
[ "$(wc -l <listed)" = 4096 ] || fail "$(wc -l <listed) lines"
prefix_of listed wanted
# Without an index it is printed while the archive is decoded: up to where that is cut.
zstd -qc many.tar >once.zst
cat once.zst once.zst >foreign.zst
truncate -s -100 foreign.zst
fails "$SLUICE" -l --members foreign.zst >listed
says 'foreign.zst: unexpected end of input'
says 'the last frame is truncated: the list is incomplete'
prefix_of wanted listed
fails "$SLUICE" -l --members foreign.zst >/dev/full
if grep -q 'incomplete' "$messages"; then fail "$(cat "$messages")"; fi
