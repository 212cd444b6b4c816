# A part of the output that is damaged, cut or missing is made anew; the source is compared with every frame.
needs strace
corpus text 8M >a
"$SLUICE" -q -B512K a -o whole.zst
note=$(printf '%s' .out.zst.part.note)
"$SLUICE" -q -B512K --no-sync --limit-rate=4M --resume a -o out.zst &
await grep -q level= "$note"
kill -KILL $!
wait $! || true
begin() {
    local umask
    umask=$(umask)
    # What others could have opened is not gone on with.
    umask 077
    rm -f out.zst
    cp "$LOGS/note" "$note"
    "$@" <whole.zst >.out.zst.part
    umask "$umask"
}
cp "$note" "$LOGS/note"
finish() {
    works "$SLUICE" -q -B512K "$@" --resume a -o out.zst
    same out.zst whole.zst
    absent .out.zst.part "$note"
}
# Whole, cut anywhere, longer than it should be, with zeros where the power went, with a byte that flipped, and nothing.
begin cat
finish
size=$(size whole.zst)
for cut in 0 1 100 70000 $((size / 2)) $((size - 1)); do
    begin head -c "$cut"
    finish
done
begin cat
corpus random 1M >>.out.zst.part
finish
begin cat
dd if=/dev/zero of=.out.zst.part bs=4096 seek=100 count=64 conv=notrunc status=none
finish
begin cat
printf '\xff' | dd of=.out.zst.part bs=1 seek=$((size / 3)) conv=notrunc status=none
finish
begin tail -c +1000
finish
# What is there is not written again.
begin head -c $((size / 2))
strace -f -qq -o trace -e trace=write,pwrite64 -P "$PWD/.out.zst.part" -P .out.zst.part \
    "$SLUICE" -q -B512K --no-sync --no-sandbox --resume a -o out.zst
written=$(awk '{ sum += $NF } END { print sum + 0 }' trace)
[ "$written" -lt $((size * 2 / 3)) ] || fail "$written of $size bytes were written again"
[ "$written" -gt $((size / 3)) ] || fail "$written of $size bytes were written"
same out.zst whole.zst
# Another source is told, and nothing is lost; -f starts over.
begin cat
cp a a.old
printf 'X' | dd of=a bs=1 seek=5000000 conv=notrunc status=none
fails "$SLUICE" -q -B512K --resume a -o out.zst
says 'was made from something else: it differs from byte 5000000 on'
says 'hint: -f'
absent out.zst
"$SLUICE" -q -B512K a -o other.zst
works "$SLUICE" -q -B512K -f --resume a -o out.zst
same out.zst other.zst
mv a.old a
# Other settings, too.
begin cat
fails "$SLUICE" -q -B512K -5 --resume a -o out.zst
says 'started with different options'
fails "$SLUICE" -q -B1M --resume a -o out.zst
says 'started with different options'
"$SLUICE" -qf -B512K -5 a -o other.zst
works "$SLUICE" -q -B512K -5 -f --resume a -o out.zst
same out.zst other.zst
# A link that somebody laid there is not followed, and a file of somebody else's is not used.
rm -f out.zst
echo precious >precious
ln -s precious .out.zst.part
fails "$SLUICE" -q --resume a -o out.zst
rm .out.zst.part
ln precious .out.zst.part
fails "$SLUICE" -q --resume a -o out.zst
[ "$(cat precious)" = precious ]
