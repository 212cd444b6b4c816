# The files that each line of command-lines.txt finds in its folder, below the folder `template`.
mkdir template
cd template
corpus text 20K >a
corpus text 60K | tail -c 9K >b
corpus text 90K | tail -c 3K >c
corpus text 400K >big
corpus random 5K >random
corpus zeros 300K >zeros
: >empty
cp a ./-dash
cp b 'with space'
cp b $'new\nline'
cp b $'\xff\xfe'
cp c read-only
chmod 440 read-only
ln -s a link
ln -s nowhere dangling
# p has one frame, q two and one to be skipped; r is beside its content, s beside what is no zstd.
corpus text 66K | tail -c 6K >p
zstd -q --rm p
{ zstd -c a; printf '\x50\x2a\x4d\x18\x04\x00\x00\x00skip'; zstd -c --no-check b; } >q.zst 2>/dev/null
cp c r
zstd -q r
cp c s
printf 'this is no frame\n' >s.zst
zstd -q --no-check c -o nocheck.zst
zstd -q --long=28 -c <big >wide.zst
head -c 5000 q.zst >cut.zst
{ head -c 9000 q.zst; printf 'damage'; tail -c +9007 q.zst; } >bad.zst
{ cat p.zst; printf 'garbage at the end'; } >tail.zst
cp p.zst unknown.suffix
mkdir files
cp a b files
tar -cf - files | tee >(zstd -qc >x.tar.zst) | zstd -qc >y.tzst
rm -r files
gzip -nc c >g.gz
xz -c c >g.xz
lzma -c c >g.lzma
lz4 -qc c >g.lz4
# A dictionary, and what was made with it; two versions of a file, and the patch between them.
mkdir samples
split -a 3 -b 2000 big samples/
zstd -q --train samples/* --maxdict=4K -o dict
rm -r samples
zstd -q -D dict c -o d.zst
cp a old
{ head -c 9000 a; echo inserted; tail -c +9001 a; } >new
zstd -q --patch-from=old new -o patch.zst
mkdir -p folder tree/sub/deep tree/void
cp a tree/one
cp b tree/sub/two
cp c tree/sub/deep/three
cp c tree/.hidden
ln -s one tree/link
ln -s .. tree/sub/loop
printf 'a\nb\nc\n' >list
find . -type f -exec touch -d 2020-02-02 {} +
cd ..
