corpus text 300K >a
echo old >a.zst
for call in fsync:EIO:1 rename:EIO:1 rename:ENOSPC:1; do
    IFS=: read -r name error when <<<"$call"
    fails strace -f -qq -o "$LOGS/strace" -e trace="$name" -e "inject=$name:error=$error:when=$when" "$SLUICE" -f --rm a
    grep -q INJECTED "$LOGS/strace"
    says 'a.zst'
    [ "$(cat a.zst)" = old ]
    [ -e a ]
    no_leftovers
done
# Without an old output it is another call.
rm a.zst
fails strace -f -qq -o "$LOGS/strace" -e trace=renameat2 -e inject=renameat2:error=EIO "$SLUICE" --rm a
absent a.zst
[ -e a ]
no_leftovers
# File systems that don't know renameat2 have links.
works strace -f -qq -o "$LOGS/strace" -e trace=renameat2 -e inject=renameat2:error=EINVAL "$SLUICE" a
zstd -dc a.zst | cmp - a
no_leftovers
# The folder is synced last: the name is given, but the source does not go on that.
rm a.zst
fails strace -f -qq -o "$LOGS/strace" -e trace=fsync -e inject=fsync:error=EIO:when=2 "$SLUICE" --rm a
[ -e a ]
# Nobody waits for the disk with --no-sync.
rm -f a.zst
works strace -f -qq -o "$LOGS/strace" -e trace=fsync,fdatasync -e inject=fsync,fdatasync:error=EIO "$SLUICE" --no-sync a
zstd -dc a.zst | cmp - a
