# What waits for the disk is bounded by the slots and three blocks, however small the frames are, and many the slots.
needs mkfs.ext4
truncate -s 400M disk.image
mkfs.ext4 -q -E lazy_itable_init=0 disk.image 2>/dev/null || skip 'no mkfs.ext4'
mkdir disk
mount -o loop disk.image disk 2>/dev/null || skip 'loop devices can not be mounted here'
trap 'fsfreeze -u disk 2>/dev/null || true; umount disk' EXIT
fsfreeze -f disk 2>/dev/null || skip 'file systems can not be frozen here'
(sleep 3; fsfreeze -u disk) &
corpus random 16M >part
for _ in {1..16}; do cat part; done |
    perl "$SCRIPTS/peak.pl" "$SLUICE" -v -1 -T2 -B64K --buffer=16M -o disk/out 2>"$messages" >peak
bound=$(allowed)
awk -v peak="$(cat peak)" -v bound="$bound" 'BEGIN { exit !(peak / 1024 <= bound && bound < 70) }' ||
    fail "$(cat peak) KiB of $bound MiB"
