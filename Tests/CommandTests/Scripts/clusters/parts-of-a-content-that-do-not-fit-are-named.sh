. "$SCRIPTS/statistics/tools.bash"
corpus text 3M >plain
"$SLUICE" -q -1 -B128K plain -o table.zst
make() {
    local part
    for part; do "$SLUICE" -q -d --part="$part"/4 table.zst -o whole; done
}
# refused SENTENCE: nothing gets the name, and nothing is lost.
refused() {
    fails "$SLUICE" -d --join --rm table.zst -o whole
    says "$1"
    absent whole
    [ -e table.zst ]
}
refused '.whole.parts: it does not exist: no part has been decompressed into it'
make 1 2 4
refused 'part 3 of 4 is missing'
rm .whole.parts.1-of-4 .whole.parts.4-of-4
refused '3 of 4 parts are missing: 1, 3, 4'
make 1 3 4
# Another number, another source, a label that is none, a file that is cut.
fails "$SLUICE" -d --part=1/3 table.zst -o whole
says '.whole.parts: it is made of 4 parts'
says 'hint: to start over: rm .whole.parts*'
cp -p table.zst kept.zst
touch -d '1 hour ago' table.zst
fails "$SLUICE" -d --part=1/4 table.zst -o whole
says '.whole.parts: it holds parts of another file, or of another version of this one'
refused '.whole.parts: it holds parts of another file'
cp -p kept.zst table.zst
"$SLUICE" -q -1 -B64K plain -o other.zst
fails "$SLUICE" -d --join other.zst -o whole
says 'it holds parts of another file'
# A mark that says something else, is cut, or is from a file that is gone.
cp .whole.parts.2-of-4 mark
for change in 's/bytes .*/bytes 0 to 1/' 's/^sluice parts 1/sluice parts 2/' '$d'; do
    sed -i "$change" .whole.parts.2-of-4
    refused '.whole.parts.2-of-4: it marks part 2 of 4 as done, but of another file or version'
    says 'hint: --part=2/4 makes it again'
    cp mark .whole.parts.2-of-4
done
rm .whole.parts
make 1
refused '.whole.parts.2-of-4: it marks part 2 of 4 as done, but of another file'
make 2 3 4
works "$SLUICE" -q -d --join table.zst -o whole
same whole plain
rm whole
make 1 2 3 4
truncate -s 1000000 .whole.parts
refused '.whole.parts: it is not a file that parts are decompressed into, or is truncated'
echo 'sluice parts 1' >.whole.parts
refused '.whole.parts: it is not a file that parts are decompressed into, or is truncated'
truncate -s 4M .whole.parts
refused '.whole.parts: it holds parts of another file'
rm .whole.parts*
# What is not ours alone.
make 1
ln .whole.parts twin
fails "$SLUICE" -d --part=2/4 table.zst -o whole
says "can't continue .whole.parts: "
rm twin .whole.parts
ln -s plain .whole.parts
fails "$SLUICE" -d --part=2/4 table.zst -o whole
rm .whole.parts*
# A join that is killed between its steps is done by the next one; one that can't sync gives no name.
for call in ftruncate renameat2 fsync; do
    make 1 2 3 4
    strace -f -qq -o /dev/null -e trace=$call -e inject=$call:signal=KILL "$SLUICE" -q -d --join table.zst -o whole 2>/dev/null || true
    [ -e whole ] || works "$SLUICE" -q -d --join table.zst -o whole
    same whole plain
    rm -f whole .whole.parts*
done
make 1 2 3 4
fails strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:error=EIO "$SLUICE" -d --join table.zst -o whole
absent whole
works "$SLUICE" -q -d --join table.zst -o whole
rm whole
# A part whose data is not on the disk has no mark.
fails strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:error=EIO:when=3+ "$SLUICE" -d --part=1/4 table.zst -o whole
absent .whole.parts.1-of-4
rm -f .whole.parts*
# A source that changes under a part fails it, and so does one that is damaged, or gone on with.
for how in longer inside; do
    cp -p kept.zst table.zst
    spawn changed.$how "$SLUICE" -d --limit-rate 100K --part=2/4 table.zst -o whole 2>said &
    await test -e .whole.parts
    [ $how = longer ] && printf x >>table.zst
    [ $how = inside ] && printf y | dd of=table.zst bs=1 seek=1000 conv=notrunc status=none
    wait
    [ "$(cat changed.$how)" = 1 ] || fail "$how: $(cat said)"
    grep -q 'table.zst: it changed while it was read' said || fail "$how: $(cat said)"
    absent .whole.parts.2-of-4
    rm .whole.parts*
done
cp -p kept.zst table.zst
python - <<'END'
data = bytearray(open("table.zst", "rb").read())
data[len(data) // 3] ^= 1
open("table.zst", "r+b").write(data)
END
touch -r kept.zst table.zst
codes=$(for part in 1 2 3 4; do "$SLUICE" -q -d --part=$part/4 table.zst -o whole 2>>said >&2 || echo failed; done)
[ "$(grep -c failed <<<"$codes")" = 1 ] || fail "$codes"
refused 'is missing'
rm .whole.parts*
cp -p kept.zst table.zst
# A full disk.
small_disk disk 2M
fails "$SLUICE" -d --on-full=fail --part=1/1 table.zst -o disk/whole
says "can't write: no space left on device"
absent disk/.whole.parts.1-of-1
mount -o remount,size=8M disk
works "$SLUICE" -q -d --part=1/1 table.zst -o disk/whole
works "$SLUICE" -q -d --join table.zst -o disk/whole
same disk/whole plain
umount disk
# What can't be shared out.
"$SLUICE" -q --single-frame plain -o single.zst
fails "$SLUICE" -d --part=1/2 single.zst -o whole
says 'single.zst: it is a single frame, which can'
"$SLUICE" -q <plain >stream.zst
zstd -q <plain >stream.zst
fails "$SLUICE" -d --part=1/2 stream.zst -o whole
says 'stream.zst: its frames do not state the size of their content'
gzip -k plain
fails "$SLUICE" -d --part=1/2 plain.gz -o whole
fails "$SLUICE" -d --part=1/2 plain -o whole
: >empty
fails "$SLUICE" -d --part=1/2 empty -o whole
head -c 100000 table.zst >cut.zst
fails "$SLUICE" -d --part=1/2 cut.zst -o whole
[ -z "$(find . -name '.whole*')" ]
# Words that do not go together.
for words in --rm --hash --recover --offset=1 --resume --verify -r; do
    fails "$SLUICE" -d --part=1/2 $words table.zst -o whole
done
fails "$SLUICE" -d --part=1/2 table.zst table.zst -o whole
fails "$SLUICE" -d --part=1/2 -o whole <table.zst
fails "$SLUICE" -d --join -o whole <table.zst
fails "$SLUICE" -d --join table.zst -c
fails "$SLUICE" -d --join table.zst table.zst -o whole
fails "$SLUICE" -t --part=1/2 table.zst
fails "$SLUICE" -d --part=1/2 table.zst -o table.zst
