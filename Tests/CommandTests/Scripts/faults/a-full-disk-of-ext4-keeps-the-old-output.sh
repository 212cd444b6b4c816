# Past the page cache the disk itself says that it is full, at any block.
needs mkfs.ext4
truncate -s 24M disk.image
mkfs.ext4 -q -E lazy_itable_init=0 disk.image 2>/dev/null || skip 'no mkfs.ext4'
mkdir disk
mount -o loop disk.image disk 2>/dev/null || skip 'loop devices can not be mounted here'
# Nothing in it repeats, in no window.
head -c 30M /dev/urandom >a
echo old >disk/out
free() { stat -f -c %f disk; }
before=$(free)
for options in -B1M -B64K '-B16M --no-sync' --single-frame; do
    # shellcheck disable=SC2086
    fails "$SLUICE" -f $options --rm a -o disk/out
    says 'no space left on device'
    [ "$(cat disk/out)" = old ]
    [ -e a ]
    no_leftovers disk
done
# Nothing takes room that has no name any more.
has_its_room() { [ "$(free)" -ge "$((before - 16))" ]; }
await has_its_room
head -c 5000000 a >b
works "$SLUICE" -qf b -o disk/out
zstd -dc disk/out | cmp - b
umount disk
