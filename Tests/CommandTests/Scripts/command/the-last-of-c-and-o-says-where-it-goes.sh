corpus text 5000 >a
"$SLUICE" -q -c -o x a >out
[ ! -s out ]
zstd -dcq x | cmp - a
rm x
"$SLUICE" -q -o x -c a | zstd -dc | cmp - a
absent x
# A dash is standard output, as it is standard input.
"$SLUICE" -q -o - a | zstd -dc | cmp - a
absent -
works "$SLUICE" a a -f -o both.zst
says 'can'\''t be separated again'
cat a a | cmp - <(zstd -dcq both.zst)
