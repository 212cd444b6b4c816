# While the sync takes its time, bytes of the file change behind the back of whoever wrote them.
needs strace
has_unnamed || skip "files have names from the beginning here"
corpus text 3M >source
cp source a
echo old >out.zst
damaged_by() {
    rm -f trace
    strace -f -qq -o trace -e trace=fsync -e inject=fsync:delay_exit=3000000:when=1 \
        "$SLUICE" -q -B256K --no-sandbox -f --rm -o out.zst "$@" source 2>"$messages" &
    local runner=$!
    await grep -qs 'fsync(' trace
    printf '\125\252\125\252' | dd of="$(temporary)" bs=1 seek=200000 conv=notrunc status=none
    code=0
    wait "$runner" || code=$?
}
damaged_by --verify=file
[ "$code" = 1 ]
says "sluice: out.zst: read back from the disk: corrupt frame at byte "
[ "$(cat out.zst)" = old ] || fail "the old output is gone"
same source a
no_leftovers
# Nobody else sees it.
damaged_by --verify
[ "$code" = 0 ]
absent source
refuses "$SLUICE" -qt out.zst

# Ctrl-C ends it then, too.
cp a source
echo old >out.zst
rm trace
spawn status strace -f -qq -o trace -e trace=fadvise64 -e inject=fadvise64:delay_exit=2000000 \
    "$SLUICE" -q -B16K --no-sandbox -f --verify=file --rm -o out.zst source &
await grep -qs DONTNEED trace
since=$(now)
pkill -INT -P "$(pid status)"
ended status SIGINT 10 "$since"
[ "$(cat out.zst)" = old ] || fail "the old output is gone"
same source a
no_leftovers

# What is compressed anew is read back, too, but before it is synced: nothing says that it was on the disk.
rm trace
gzip -k a
strace -f -qq -o trace -e trace=fadvise64 -e inject=fadvise64:delay_exit=2000000 \
    "$SLUICE" -q -B256K --no-sandbox --recompress --rm a.gz -o anew.zst 2>"$messages" &
runner=$!
await grep -qs DONTNEED trace
printf '\125\252\125\252' | dd of="$(temporary)" bs=1 seek=200000 conv=notrunc status=none
code=0
wait "$runner" || code=$?
[ "$code" = 1 ]
says "sluice: anew.zst: read back: corrupt frame at byte "
absent anew.zst
[ -s a.gz ]
