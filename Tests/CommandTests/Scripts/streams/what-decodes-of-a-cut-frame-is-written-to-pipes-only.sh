# As with zstd: what comes of a frame that the end of the input cuts goes to standard output and pipes, and then it fails.
corpus text 3M >data
zstd -qc data >data.zst
"$SLUICE" -qc -B256K data >own.zst
for file in data.zst own.zst; do
    for share in 1 33 50 90 99; do
        head -c "$(($(size $file) * share / 100))" $file >cut.zst
        exits 1 zstd -dcq cut.zst >wanted
        fails "$SLUICE" -dc cut.zst >got
        says 'truncated'
        same got wanted
        fails "$SLUICE" -dc <cut.zst >got
        same got wanted
        code=0
        "$SLUICE" -dcq <cut.zst 2>/dev/null | cat >got || code=$?
        [ $code = 1 ] || fail "exit code $code"
        same got wanted
        prefix_of got data
        # A file is whole or not there.
        fails "$SLUICE" -d cut.zst -o out
        absent out
        fails "$SLUICE" -t cut.zst
        # A range is proved, or not written.
        fails "$SLUICE" -d --range=0..100 -c cut.zst >got
        [ "$file" = own.zst ] || [ ! -s got ]
    done
done
no_leftovers
# A frame that is damaged otherwise is not written.
perl -0777 -pe 'substr($_, length() / 2, 4) = "\0\0\0\0"' data.zst >damaged.zst
fails "$SLUICE" -dc damaged.zst >got
[ ! -s got ]
