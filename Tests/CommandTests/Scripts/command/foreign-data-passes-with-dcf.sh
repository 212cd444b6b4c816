corpus text 100K >a
works "$SLUICE" -dcf a >b
same a b
works "$SLUICE" -dcf <a >b
same a b
fails "$SLUICE" -dc a >b
[ ! -s b ]
# Unless it was said otherwise.
fails "$SLUICE" -dcf --no-pass-through a >b
[ ! -s b ]
works "$SLUICE" -d --pass-through a -o c
same a c
# What is empty is a file that was cut at its start, here as with zstd.
: >empty
fails "$SLUICE" -dcf empty
says 'empty: unexpected end of input'
fails "$SLUICE" -dcf <empty
if zstd -q -dcf <empty 2>/dev/null; then fail "zstd takes it"; fi
# It passes to standard output only, and is no file's content, also where a list names the file.
cp a b.zst
echo b.zst >list
for words in b.zst --filelist=list; do
    rm -f b
    fails "$SLUICE" -df $words
    absent b
done
