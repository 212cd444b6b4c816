needs strace
corpus text 300K >a
echo old >a.zst
for call in fsync:EIO:1 renameat:EIO:1 renameat:ENOSPC:1; do
    IFS=: read -r name error when <<<"$call"
    fails strace -f -qq -o "$LOGS/strace" -e trace="$name" -e "inject=$name:error=$error:when=$when" "$SLUICE" -f --rm a
    grep -q INJECTED "$LOGS/strace"
    says 'a.zst'
    [ "$(cat a.zst)" = old ]
    [ -e a ]
    no_leftovers
done
# Without an old output it is another call, and one more where there are no files without names.
rm a.zst
names=access,faccessat
# The first link of all shows whether files without names get one.
for calls in "linkat:when=2+ $names:when=99" "renameat2 $names"; do
    read -r call others <<<"$calls"
    when=${call#*:}
    [ "$when" != "$call" ] || when=
    call=${call%%:*}
    [ "$call" = renameat2 ] || has_unnamed || continue
    fails strace -f -qq -o "$LOGS/strace" -e trace="$call,$names" -e "inject=$call:error=EIO${when:+:$when}" \
        -e "inject=${others%:*}:error=ENOENT${others#"$names"}" "$SLUICE" --rm a
    grep -q "$call.*INJECTED" "$LOGS/strace"
    absent a.zst
    [ -e a ]
    no_leftovers
done
# File systems that don't know renameat2 have links.
works strace -f -qq -o "$LOGS/strace" -e trace=renameat2,$names -e inject=renameat2:error=EINVAL \
    -e inject=$names:error=ENOENT "$SLUICE" a
grep -q 'renameat2.*INJECTED' "$LOGS/strace"
zstd -dc a.zst | cmp - a
no_leftovers
# The folder is synced last: the name is given, but the source does not go on that.
rm a.zst
fails strace -f -qq -o "$LOGS/strace" -e trace=fsync -e inject=fsync:error=EIO:when=2 "$SLUICE" --rm a
[ -e a ]
zstd -dc a.zst | cmp - a
# Nobody waits for the disk with --no-sync.
rm -f a.zst
works strace -f -qq -o "$LOGS/strace" -e trace=fsync,fdatasync -e inject=fsync,fdatasync:error=EIO "$SLUICE" --no-sync a
zstd -dc a.zst | cmp - a
