# New pages of the cache cost more than the disk, and nobody reads a compressed file next (docs/decisions/writes.md).
[[ $(stat -f -c %T .) =~ ^(ext2/ext3|xfs)$ ]] || skip "only ext4 and xfs are known to write past the page cache"
corpus random 9M >a
traced() { strace -f -qq -s0 -o "$LOGS/strace" -e trace=statx,fcntl,write,fsync "$@"; }
is_direct() { grep -q 'F_SETFL.*O_DIRECT' "$LOGS/strace"; }
most() { grep -oE ' write\(.*' "$LOGS/strace" | sed -n 's/.*= //p' | sort -n | tail -n 1; }
# Pages of the file that are in the cache.
pages() { fincore -rnbo PAGES "$1"; }
for options in -1 '-1 --single-frame' '-1 -B64K' '-1 --buffer=16M --buffer-start=50'; do
    # shellcheck disable=SC2086
    works traced "$SLUICE" -qf $options a
    is_direct
    [ "$(most)" = $((2 << 20)) ]
    # The rest is no whole block, and may not be a whole page.
    [ "$(pages a.zst)" -le 512 ] || fail "$(pages a.zst) pages of $(size a.zst) bytes"
    zstd -dc a.zst | cmp - a
done
through_the_cache() {
    works traced "$@"
    refuses is_direct
}
# What is to be read next stays: what was decompressed, and whatever need not be on the disk when the run ends.
through_the_cache "$SLUICE" -qf -d a.zst -o back
[ "$(pages back)" -gt 512 ]
through_the_cache "$SLUICE" -qf --no-sync a
# A file system that does not tell, and a limit at which a write would end in the middle of a page.
through_the_cache -e inject=statx:error=ENOSYS "$SLUICE" -qf a
zstd -dc a.zst | cmp - a
(ulimit -f 100000; through_the_cache "$SLUICE" -qf a)
for limit in 1000001 100 2097153; do
    exits 153 prlimit --fsize=$limit "$SLUICE" -f a
    says 'file too large'
done
zstd -dc a.zst | cmp - a
