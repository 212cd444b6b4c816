# A file system in a file, which is cut off under it.
needs mkfs.ext4
truncate -s 32M disk.image
mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=0 disk.image 2>/dev/null || skip 'no mkfs.ext4'
mkdir disk
mount -o loop disk.image disk 2>/dev/null || skip 'loop devices can not be mounted here'
corpus random 8M >a
cp a disk/b
sync
echo 1 >/proc/sys/vm/drop_caches 2>/dev/null || true
truncate -s 2M disk.image
fails "$SLUICE" -c -B1M disk/b >part.zst
says 'input/output error'
# Second, for it may make the file longer.
code=0
"$SLUICE" -q -B1M -f a -o disk/out 2>"$messages" || code=$?
[ $code = 1 ] || fail "exit code $code"
absent disk/out
