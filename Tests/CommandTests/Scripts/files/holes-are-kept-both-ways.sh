# An image with holes costs what its data does, and has its holes again.
corpus text 3M >data
truncate -s 5G image
for place in 0 3G 4700M; do dd if=data of=image bs=1M seek=$place oflag=seek_bytes conv=notrunc status=none; done
works "$SLUICE" -q -T2 image
[ "$(size image.zst)" -lt $((5 << 20)) ] || fail "$(size image.zst) bytes"
cp data small
truncate -s 10M small
works "$SLUICE" -q small
for name in image small; do
    digest=$(head -c 20M $name | sha256sum)
    mv $name old
    works "$SLUICE" -q -d $name.zst
    [ "$(size $name)" = "$(size old)" ] || fail "$(size $name) bytes"
    [ "$digest" = "$(head -c 20M $name | sha256sum)" ] || fail 'another content'
    # Blocks of 512 bytes.
    [ "$(stat -c %b $name)" -lt 30000 ] || fail "$(stat -c %b $name) blocks"
    rm old
done
# The data is where it was.
for place in 3G 4700M; do cmp -n "$(size data)" -i "0:$(numfmt --from=iec $place)" data image; done
# zstd reads it, and makes the same of it.
zstd -q -f -d small.zst -o theirs
same small theirs
# What is on standard output gets holes only if that is said, and never behind what is there.
works "$SLUICE" -q -dc small.zst >plain
works "$SLUICE" -q -dc --sparse small.zst >sparse
same plain sparse
[ "$(stat -c %b plain)" -gt 20000 ] && [ "$(stat -c %b sparse)" -lt 10000 ] || fail 'no holes, or too many'
works "$SLUICE" -q -d --no-sparse small.zst -o full
[ "$(stat -c %b full)" -gt 20000 ] || fail 'holes'
cp data both
works "$SLUICE" -q -dc --sparse small.zst >>both
same both <(cat data plain)
corpus text 12M >over
works "$SLUICE" -q -dc --sparse small.zst 1<>over
same <(head -c 10M over) plain
works "$SLUICE" -q -dc --sparse small.zst | cmp - plain
