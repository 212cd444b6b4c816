source "$SCRIPTS/formats/make.bash"
corpus text 10K >a
pack a
for format in gzip xz lzma lz4; do
    fails "$SLUICE" --format=$format a
    says "sluice reads $format, but writes only zstd"
    # As with zstd, the data says what it is.
    works "$SLUICE" -dc --format=$format a.xz >out
    same out a
done
works "$SLUICE" --format=zstd -c a >out
fails "$SLUICE" --format=bzip2 -dc a.xz
absent a.bz2
# A known format is named, whatever the name of the file, unless it is to pass.
cat >unread <<'END'
BZh91AY&SY bzip2
PK\x03\x04.... zip
7z\xbc\xaf\x27\x1c 7z
LZIP\x01.... lzip
\x02\x21\x4c\x18.... legacy lz4
\x1f\x9d\x90.... compress (.Z)
END
while read -r bytes name; do
    printf "$bytes" >b.bin
    for words in '-d b.bin' '-dc b.bin' '-t b.bin' '-l b.bin' '-d b.bin -o out'; do
        rm -f out
        # shellcheck disable=SC2086
        fails "$SLUICE" $words
        says "b.bin: is in $name format, which sluice does not read"
        absent out b
    done
    works "$SLUICE" -dc --pass-through b.bin >out
    same out b.bin
done <unread
# What is read has no frames to list.
for format in gzip:gz xz:xz lzma:lzma lz4:lz4; do
    fails "$SLUICE" -l "a.${format#*:}"
    says "a.${format#*:}: is in ${format%:*} format, which has no frames to list"
done
