corpus text 10K >file
"$SLUICE" -q file -o packed.zst
mkdir folder
for words in '' -f -c -t -l '-d -c' '-f --rm'; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words file/
    says "file/: can't open: not a directory"
done
fails "$SLUICE" file -o missing/
says "can't create missing/: the directory missing does not exist"
fails "$SLUICE" -f packed.zst -o file/
says "can't create file/: not a directory"
fails "$SLUICE" -q file --trace missing/
says "can't create missing/: the directory missing does not exist"
fails "$SLUICE" -f file -o folder/
says 'folder/: is a directory'
fails "$SLUICE" folder/
says 'folder/: is a directory'
says 'hint: -r processes the files in it, or tar -I sluice -cf folder.tar.zst folder/'
absent missing file.zst
corpus text 10K | cmp - file
# A slash is no dash, and a folder's slash within a name means nothing.
fails "$SLUICE" -q -- -/ </dev/null
works "$SLUICE" -q folder/../file
zstd -dcq file.zst | cmp - file
