needs strace
corpus text 3M >a
corpus text 1M >b
works "$SLUICE" -q a b
unchanged() { same before "$1" && no_leftovers; }
# Each of these is told in one sentence, and is as it was.
cat a.zst b.zst >several.zst
"$SLUICE" -q -B1M a -o one.zst
cat one.zst one.zst >tables.zst
head -c -5 one.zst >cut.zst
cp "$FIXTURES/single-frame-from-pipe-no-content-size.zst" unsaid.zst
cp a plain
gzip -k b
for file in tables.zst cut.zst unsaid.zst plain b.gz; do
    cp $file before
    fails "$SLUICE" -q --append b -o $file
    says "$file: "
    unchanged $file
done
# Frames one after the other are one file.
works "$SLUICE" -q --append b -o several.zst
same <(cat a b b) <(zstd -dc several.zst)
# Another operation is not taken for the one that was meant, whichever comes first.
cp a.zst before
for words in '-d --append' '--append -d' '--append -t' '--append -l'; do
    fails "$SLUICE" -q $words b.zst -o a.zst
    says 'combined with another operation'
    unchanged a.zst
done
ln -s a.zst link.zst
fails "$SLUICE" -q --append b -o link.zst
says 'link.zst: is not a file that --append can add to'
says 'name the file itself, not a link to it'
mkfifo fifo.zst
fails "$SLUICE" --append b -o fifo.zst
says 'fifo.zst: is not a file that --append can add to'
grep -q link "$messages" && fail "$(cat "$messages")"
rm fifo.zst
mkfifo fifo
for target in fifo . /dev/null; do fails timeout 20 "$SLUICE" -q --append b -o $target; done
cp a.zst before
ln a.zst other-name
fails "$SLUICE" -q --append other-name -o a.zst
says 'is the input and the output'
unchanged a.zst
# One operand that can't be read is enough.
fails "$SLUICE" -q --append b missing -o a.zst
unchanged a.zst
for words in '--append b' '--append -c b' '--append --rm b -o a.zst' '--append --long b -o a.zst' \
    '--append --single-frame b -o a.zst' '--append -D b b -o a.zst' '--append --resume b -o a.zst'; do
    # shellcheck disable=SC2086 # several words
    fails "$SLUICE" -q $words
    unchanged a.zst
done
# What is not safe on the disk, or gets no name, changes nothing.
for call in fsync linkat,renameat,renameat2; do
    fails timeout 60 strace -f -qq -o trace -e "inject=$call:error=EIO" "$SLUICE" -q --append b -o a.zst
    unchanged a.zst
done
# Where the kernel does not copy, bytes are read and written.
works timeout 60 strace -f -qq -o trace -e inject=copy_file_range,sendfile:error=EIO "$SLUICE" -q --append b -o a.zst
same <(cat a b) <(zstd -dc a.zst)
small_disk disk 2M
corpus random 900K >disk/r
"$SLUICE" -q --rm disk/r -o disk/r.zst
cp disk/r.zst before
corpus random 900K >more
fails "$SLUICE" -q --append more -o disk/r.zst
says 'no space left'
unchanged disk/r.zst
no_leftovers disk
umount disk
