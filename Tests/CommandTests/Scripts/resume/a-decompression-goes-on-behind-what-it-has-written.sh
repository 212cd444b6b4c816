# What is there is compared with what the frames hold; what is the same is not written again.
needs strace
if is_long; then turns=40 size=24M; else turns=3 size=9M; fi
corpus text $size >a
whole=$(size a)
# What others could have opened is not gone on with.
umask 077
note() { printf 'file 1\ncontent\n' >"$1"; }
"$SLUICE" -q -B512K a -o a.zst
"$SLUICE" -q --single-frame a -o single.zst
gzip -k1 a
for input in a.zst single.zst a.gz; do
    for ((turn = 0; turn < turns; turn++)); do
        "$SLUICE" -qd --no-sync --resume "$input" -o out 2>/dev/null &
        sleep "0.$(printf %03d $((RANDOM % (whole >> 18) + 3)))"
        kill -KILL $! 2>/dev/null || true
        if wait $!; then
            same out a
            rm -f out .out.part.note
        elif [ -e out ]; then
            same out a
            rm out
        fi
    done
    works "$SLUICE" -qd --resume "$input" -o out
    same out a
    absent .out.part .out.part.note
    rm out
    # Any cut; bytes that never reached the disk; and too many.
    for cut in 0 1 5000 $((whole / 2)) $((whole - 1000001)) "$whole"; do
        head -c "$cut" a >.out.part
        note .out.part.note
        works "$SLUICE" -qd --resume "$input" -o out
        same out a
        rm out
    done
    cat a a >.out.part
    note .out.part.note
    dd if=/dev/zero of=.out.part bs=4096 seek=1500 count=100 conv=notrunc status=none
    works "$SLUICE" -qd --resume "$input" -o out
    same out a
    rm out
done
head -c 8000000 a >.out.part
printf 'X' | dd of=.out.part bs=1 seek=7000000 conv=notrunc status=none
note .out.part.note
fails "$SLUICE" -qd --resume a.zst -o out
says 'was made from something else: it differs from byte 7000000 on'
absent out
works "$SLUICE" -qdf --resume a.zst -o out
same out a
# Holes stay holes.
corpus zeros 32M >zeros
corpus text 100K >>zeros
"$SLUICE" -q zeros
head -c 9000000 zeros >.back.part
note .back.part.note
works "$SLUICE" -qd --resume zeros.zst -o back
same back zeros
[ "$(du -k back | cut -f 1)" -lt 20000 ] || fail "$(du -k back) KiB are taken"
# What is there is read once, however small the frames are.
rm out
head -c 100 a >line
perl -e 'local $/; print <> x 3000' line >small
zstd -q -1 -c line | perl -e 'local $/; print <> x 3000' >tiny.zst
head -c 290K small >.out.part
note .out.part.note
works strace -f -qq -c -o calls -e trace=pread64 "$SLUICE" -qd --resume tiny.zst -o out
same out small
reads=$(awk '$NF == "pread64" { print $4 }' calls)
[ "$reads" -lt 100 ] || fail "$reads reads"
