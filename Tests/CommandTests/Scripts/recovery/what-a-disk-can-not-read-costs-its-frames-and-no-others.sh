# A file system in a file, which is cut off under it: the second half of the file can't be read.
needs mkfs.ext4 python3
truncate -s 32M disk.image
mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=0 disk.image 2>/dev/null || skip 'no mkfs.ext4'
mkdir disk
mount -o loop disk.image disk 2>/dev/null || skip 'loop devices can not be mounted here'
corpus random 8M >a
"$SLUICE" -q -B256K a -o a.zst
cp a.zst disk/b.zst
sync
echo 1 >/proc/sys/vm/drop_caches 2>/dev/null || true
# Behind the third MiB of it.
start=$(filefrag -b1024 -v disk/b.zst | awk '$1 == "0:" { print $4 + 0 }')
truncate -s $(((start + 3072) * 1024)) disk.image
fails "$SLUICE" -q -d --recover disk/b.zst -o part
says "it can't be read"
recovered=$(sed -n 's/.*b.zst: \([0-9]*\) bytes recovered.*/\1/p' "$messages")
[ "$recovered" -ge 1048576 ] && [ "$recovered" -lt 8388608 ]
[ $((recovered % 262144)) = 0 ]
cmp -n "$recovered" a part
umount disk

# Reads that fail one after another, until sectors are given up: those of headers that the walk needs, of a frame, and of
# headers that could be read before.
traced() { strace -f -qq -o trace -P "$PWD/a.zst" -e trace=pread64 "$@"; }
works traced "$SLUICE" -q -T1 -d --recover -f "$PWD/a.zst" -o part
place=$(awk '$NF > 200000 && ++count == 5 { print NR; exit }' trace)
[ "$place" -gt 60 ]
for reads in 20..21 "$place..$((place + 20))" "$((place + 1))..$((place + 2))"; do
    fails traced -e inject=pread64:error=EIO:when="$reads" "$SLUICE" -q -T1 -d --recover -f "$PWD/a.zst" -o part
    grep -q INJECTED trace
    [ "$(size part)" = "$(size a)" ]
    env -u BASH_ENV python3 -B - <<'PYTHON'
a, part = open("a", "rb").read(), open("part", "rb").read()
step = 1 << 18
frames = [(a[at : at + step], part[at : at + step]) for at in range(0, len(a), step)]
lost = [number for number, (wanted, found) in enumerate(frames) if wanted != found]
assert all(not any(frames[number][1]) for number in lost), lost
assert 0 < len(lost) < len(frames) - 3, lost
PYTHON
done
