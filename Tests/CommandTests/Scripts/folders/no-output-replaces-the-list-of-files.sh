# What says which files are read is lost as easily as a source, whichever way leads to it.
corpus text 5K >a
corpus text 6K >b
printf 'a\nb\n' >list
cp list kept
for name in list ./list; do
    fails "$SLUICE" -f --filelist list -o "$name"
    says "list: is the list of files: not replaced"
    same list kept
done
# A name that is made from a source's.
mv list a.zst
fails "$SLUICE" -f --filelist a.zst
says "a.zst: is the list of files: not replaced"
same a.zst kept
fails "$SLUICE" -f --filelist a.zst --output-dir-flat .
same a.zst kept
zstd -qdc b.zst | cmp - b
