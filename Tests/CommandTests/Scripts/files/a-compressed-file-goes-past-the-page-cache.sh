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
# What is to be read next stays: what was decompressed, and whatever need not be on the disk when the run ends.
works traced "$SLUICE" -qf -d a.zst -o back
refuses is_direct
[ "$(pages back)" -gt 512 ]
works traced "$SLUICE" -qf --no-sync a
refuses is_direct
works traced "$SLUICE" -qc a >a.zst
refuses is_direct
# A file system that does not tell, or refuses, is written through the cache.
works traced -e inject=statx:error=ENOSYS "$SLUICE" -qf a
refuses is_direct
zstd -dc a.zst | cmp - a
# Which of the caller's calls of fcntl sets the flag (past), or clears it.
works traced "$SLUICE" -qf a
is_direct
call() {
    awk -v wanted="$1" '/statx/ { caller = $1; for (line = 1; line <= seen; line++) if (from[line] == caller) calls++ }
        !/fcntl\(/ { next }
        { from[++seen] = $1 }
        $1 == caller { calls++ }
        $1 == caller && /F_SETFL/ { is = /O_DIRECT/ ? "set" : "clear"; if (is == wanted) { print calls; exit } }' "$LOGS/strace"
}
works traced -e inject=fcntl:error=EINVAL:when="$(call set)" "$SLUICE" -qf a
grep -q INJECTED "$LOGS/strace"
[ "$(most)" = $((512 << 10)) ]
zstd -dc a.zst | cmp - a
# The rest can't be written then, for it is no whole page.
works traced "$SLUICE" -qf a
fails traced -e inject=fcntl:error=EINVAL:when="$(call clear)" "$SLUICE" -qf --rm a
grep -q INJECTED "$LOGS/strace"
says 'a.zst: '
zstd -dc a.zst | cmp - a
no_leftovers
