# FUSE remembers the times of a file from before it got its name: that is no change of the file while it is read.
needs bindfs
[ -w /dev/fuse ] || skip "FUSE can't be mounted here"
mkdir real mounted
bindfs -f real mounted &
await mountpoint -q mounted
cd mounted
corpus text 300K >a
corpus text 3K >b
works "$SLUICE" -q a
works "$SLUICE" -q --append b -o a.zst
zstd -dcq a.zst | cmp - <(cat a b)
works "$SLUICE" -q -f a
works "$SLUICE" -q -df --rm a.zst
absent a.zst
works "$SLUICE" -q --part=1/2 a
works "$SLUICE" -q --part=2/2 a
works "$SLUICE" -q --join a.?-of-2.zst -o joined.zst
zstd -dcq joined.zst | cmp - a
cd ..
fusermount -u mounted 2>/dev/null || umount mounted
