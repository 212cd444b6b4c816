needs lz4 xz
source "$SCRIPTS/formats/make.bash"
corpus text 700K >a
: >empty
head -c 700 a >b
pack a
pack b
pack empty
printf '\x50\x2a\x4d\x18\x05\0\0\0right' >skippable
lz4 -qc -9 -BD --content-size -B4 a >linked.lz4
xz -c --check=none b >none.xz
xz -c -0 --block-size=200K --check=sha256 a >blocks.xz
gzip -cN a >named.gz
# Each line is a file: members one after another, in whatever formats.
while read -r -a parts; do
    cat "${parts[@]}" >input
    zstd -dcq input >theirs || fail "zstd refuses ${parts[*]}"
    works "$SLUICE" -dc input >ours
    same ours theirs
    works "$SLUICE" -dc <input >ours
    same ours theirs
    works "$SLUICE" -dc < <(cat input) >ours
    same ours theirs
    works "$SLUICE" -qt input
done <<'END'
a.gz
a.xz
a.lzma
a.lz4
empty.gz
empty.xz
empty.lzma
empty.lz4
linked.lz4
none.xz
blocks.xz
named.gz
b.gz a.gz b.gz empty.gz
b.xz a.xz
b.lzma a.lzma
b.lz4 a.lz4 b.lz4
a.zst b.gz
b.zst a.zst skippable a.xz b.zst a.lz4 skippable b.lzma a.gz b.zst a.zst
skippable b.lz4 skippable
b.gz a.zst
END
# What is padded with zeros, as xz allows it, is whole.
(cat b.xz; head -c 8 /dev/zero; cat b.xz; head -c 4 /dev/zero) >input
works "$SLUICE" -dc input >ours
cat b b >wanted
same ours wanted
(cat b.xz; head -c 7 /dev/zero) >input
fails "$SLUICE" -t input
# What trickles in is passed on.
(head -c 20000 a.gz; await test -s out; tail -c +20001 a.gz) | works "$SLUICE" -dc >out
same out a
