corpus text 10K >content
for unit in x $'\xc3\xa9' $'\xff'; do
    for length in 251 250 200 199; do
        name=$(perl -e 'print substr $ARGV[0] x 255, 0, $ARGV[1]' "$unit" $length)
        cp content "$name"
        works "$SLUICE" -q "$name"
        rm "$name"
        works "$SLUICE" -qd "$name.zst"
        same "$name" content
        rm "$name"*
    done
done
# 255 bytes: there is no room for a suffix, but for the data.
name=$(printf 'x%.0s' {1..255})
cp content "$name"
fails "$SLUICE" "$name"
says 'too long'
works "$SLUICE" -qc "$name" >a.zst
rm "$name"
works "$SLUICE" -qd a.zst -o "$name"
same "$name" content
rm "$name"
name=$(printf 'x%.0s' {1..251}).zst
cp a.zst "$name"
works "$SLUICE" -qd "$name"
same "${name%.zst}" content
# And long paths.
deep=$(printf 'y%.0s' {1..200})
path=$deep/$deep/$deep
mkdir -p $path
cp content $path/a
works "$SLUICE" -q $path/a
zstd -dc $path/a.zst | cmp - content
no_leftovers
