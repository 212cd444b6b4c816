needs xz
corpus text 5M >a
gzip -k a
touch -d '2020-02-03 04:05:06' a.gz
works "$SLUICE" --recompress --lines -B1M a.gz
says 'a.gz: 5.00 MiB > '
"$SLUICE" -qdc a.zst | cmp - a
[ "$(stat -c %Y a.zst)" = "$(stat -c %Y a.gz)" ]
"$SLUICE" -l --json a.zst | grep -q '"seekTable" *: *true'
# Each format, and what several machines have made; a member of a tar is found afterwards.
xz -k -T1 -0 a
zstd -q --no-progress a -o frames.zst
cat frames.zst frames.zst >two.zst
mkdir made
works "$SLUICE" -q --recompress -5 a.xz frames.zst two.zst --output-dir-flat made
for name in a frames; do "$SLUICE" -qdc made/$name.zst | cmp - a; done
"$SLUICE" -qdc made/two.zst | cmp - <(cat a a)
tar -c a | gzip -1 >t.tar.gz
works "$SLUICE" -q --recompress --members t.tar.gz
"$SLUICE" -qdc --member=a t.tar.zst | cmp - a
# In a pipe, and of a tree, where the sources go once the new files are there.
"$SLUICE" -qc --recompress <a.gz | "$SLUICE" -qd | cmp - a
mkdir -p tree/below
cp a.gz tree/below
cp a.xz tree/b.xz
corpus text 1K >tree/plain
works "$SLUICE" -q --recompress -r --rm tree
[ "$(find tree -type f | sort | paste -sd ' ')" = 'tree/b.zst tree/below/a.zst tree/plain' ]
"$SLUICE" -qdc tree/b.zst | cmp - a
# Zeros after the data are told of, as by -d.
{
    cat a.gz
    head -c 512 /dev/zero
} >padded.gz
works "$SLUICE" --recompress padded.gz
says "warning: padded.gz: zeros after the data, from byte $(size a.gz) on: ignored"
"$SLUICE" -qdc padded.zst | cmp - a
# An input that is damaged or cut later makes nothing, and stays.
head -c 400000 a.gz >cut.gz
{ head -c 300000 frames.zst; head -c 64 /dev/zero; tail -c +300065 frames.zst; } >damaged.zst
for name in cut.gz damaged.zst; do
    cp "$name" before
    fails "$SLUICE" -q --recompress --rm "$name" -o new.zst
    absent new.zst
    cmp before "$name"
done
ls -A | grep -q '^\.' && fail "something was left behind: $(ls -A)"
# Options for the output, such as no checksums, are not about the source: a changed bit is found, whatever they say.
head -c 200K /dev/urandom >noise
"$SLUICE" -q noise
for place in 1000 100000 200000; do
    perl -pe 'BEGIN { $/ = undef } substr($_, '$place', 1) ^= "\x10"' noise.zst >flipped.zst
    fails "$SLUICE" -q --recompress --no-check --rm flipped.zst -o new.zst
    absent new.zst
    [ -s flipped.zst ]
done
# A dictionary is for both sides.
mkdir samples
split -b 2000 a samples/
zstd -q --train samples/* -o dict
zstd -q -D dict a -o d.zst
works "$SLUICE" -q --recompress -D dict d.zst -o e.zst
zstd -qdc -D dict e.zst | cmp - a
# What would not be compared is refused.
fails "$SLUICE" -f --recompress a.gz a.xz -o both.zst
absent both.zst
fails "$SLUICE" --recompress --append a.gz -o a.zst
# A file can't take its own place by mistake; under another name, or in another folder, it can.
fails "$SLUICE" --recompress -9 frames.zst
cmp frames.zst <(zstd -qc a)
# What is not compressed is no input.
fails "$SLUICE" --recompress a
absent a.zst.zst
for words in '--part=1/2' --resume --stream-size=5; do fails "$SLUICE" --recompress a.gz -f $words; done
fails "$SLUICE" -d --recompress a.gz
# A frame too large to be held, which several cores decode, to frames as large as the memory that they use again.
for _ in {1..12}; do cat a; done >large
zstd -q -1 large -o large.zst
works "$SLUICE" -q --recompress -1 -B32M large.zst -o anew.zst
"$SLUICE" -qdc anew.zst | cmp - large
