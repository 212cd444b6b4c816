. "$SCRIPTS/statistics/tools.bash"
corpus text 3M >plain
corpus random 2M >>plain
truncate -s 8M plain
corpus text 1M >>plain
: >empty
printf x >byte
# aligned FILE SIZE: frames, skippable ones too, lie between multiples of the size; there is some filling.
aligned() {
    python - "$@" <<'END'
import struct, sys
data, size, position, frames, fillings = open(sys.argv[1], "rb").read(), int(sys.argv[2]), 0, 0, 0
while position < len(data):
    start, (magic,) = position, struct.unpack_from("<I", data, position)
    if magic & ~15 == 0x184D2A50:
        position += 8 + struct.unpack_from("<I", data, position + 4)[0]
        fillings += magic == 0x184D2A50
        assert magic != 0x184D2A50 or not any(data[start + 8:position])
    else:
        descriptor = data[position + 4]
        position += 5 + (not descriptor & 32) + [descriptor >> 5 & 1, 2, 4, 8][descriptor >> 6]
        last = False
        while not last:
            header = int.from_bytes(data[position:position + 3], "little")
            last = header & 1
            position += 3 + (1 if header >> 1 & 3 == 1 else header >> 3)
        position += 4 * (descriptor >> 2 & 1)
    frames += 1
    assert start // size == (position - 1) // size, (start, position, frames)
assert position == len(data) and (fillings > 0 or len(data) <= size), (frames, fillings)
END
}
for size in 65536 100003 300000 1048576; do
    works "$SLUICE" -qf -1 -T2 --align=$size plain -o whole.zst
    aligned whole.zst $size
    zstd -dcq whole.zst | cmp - plain
    works "$SLUICE" -q -t whole.zst
    works "$SLUICE" -l whole.zst
    "$SLUICE" -d --offset=4M --length=1000 whole.zst | cmp - <(tail -c +4194305 plain | head -c 1000)
    # A pipe makes the same, and so do parts: each by itself aligned, and, as it ends at a multiple, with the next one.
    "$SLUICE" -q -1 --align $size <plain >pipe.zst
    same pipe.zst whole.zst
    for ((part = 1; part <= 3; part++)); do
        works "$SLUICE" -qf -1 --align=$size --part=$part/3 plain -o part.$part
        aligned part.$part $size
        [ $(($(size part.$part) % size)) = 0 ]
    done
    cat part.1 part.2 part.3 >cat.zst
    aligned cat.zst $size
    zstd -dcq cat.zst | cmp - plain
    works "$SLUICE" -qf --join --verify part.* -o joined.zst
    same joined.zst whole.zst
done
for name in empty byte; do
    works "$SLUICE" -qf --align=64K $name -o small.zst
    "$SLUICE" -q $name -o usual.zst
    same small.zst usual.zst
    rm usual.zst
done
# Parts that are aligned otherwise are refused.
works "$SLUICE" -qf -1 -B16K --part=1/2 plain -o part.1
works "$SLUICE" -qf -1 -B16K --align=64K --part=2/2 plain -o part.2
fails "$SLUICE" --join part.1 part.2 -o other
says 'made with different options'
# A frame that might not fit, and words that do not go together.
fails "$SLUICE" -B64K --align=64K plain -o other
says 'frames of 64.0 KiB would not all fit'
for words in --align=1K --align=2G --align=x '--align=64K --long' '--align=64K --single-frame' '--align=64K --resume' \
    '-d --align=64K' '-t --align=64K' '--join --align=64K' '--append --align=64K'; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words plain -o other
done
absent other
