# To open it is to wait for a writer, who may never come.
mkfifo pipe
ln -s pipe link
for words in -d '-d -f' '-d --rm'; do
    for name in pipe link; do
        # shellcheck disable=SC2086
        fails timeout 10 "$SLUICE" $words $name
        says "$name: unknown suffix"
        says 'hint: name the output with -o, or use -c'
    done
done
# With a name for the output it is read.
corpus text 10K >a
zstd -q -c a >pipe &
works timeout 10 "$SLUICE" -q -d pipe -o b
same a b
