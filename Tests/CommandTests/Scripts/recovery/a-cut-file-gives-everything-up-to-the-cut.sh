# Of frames all that are whole, and of the last one its blocks.
corpus random 4M >a
"$SLUICE" -q -B1M a -o frames.zst
"$SLUICE" -q --single-frame a -o one.zst
zstd -q --no-check a -o theirs.zst
for file in frames one theirs; do
    head -c $(($(size $file.zst) * 3 / 5)) $file.zst >cut.zst
    fails "$SLUICE" -q -d --recover -f cut.zst -o part
    says 'the file is cut within a frame'
    says 'without its checksum'
    prefix_of part a
    # As much as zstd writes before it fails.
    zstd -qdc cut.zst >most 2>/dev/null || true
    [ "$(size part)" -ge "$(size most)" ] && [ "$(size most)" -gt 500000 ]
done
# All but the seek table: nothing is lost, and the file is damaged all the same.
head -c $(($(size frames.zst) - 9)) frames.zst >cut.zst
fails "$SLUICE" -t cut.zst
fails "$SLUICE" -q -d --recover -f cut.zst -o part
same a part
says 'cut.zst: all content is recovered; the seek table at byte '
says 'no content lost: the seek table is damaged, or cut'
# Of several files, one that is damaged is enough.
fails "$SLUICE" -q -d --recover -c frames.zst cut.zst >both
cat a a | cmp - both
# A tape fills up its last block. Where a stream header is cut, the zeros are not the end of the data.
header=$(grep -abo SLUICE frames.zst | head -n 1 | cut -d: -f1)
for count in 1 4 8 9 14; do
    { head -c $((header - 8 + count)) frames.zst; head -c 512 /dev/zero; } >padded.zst
    fails "$SLUICE" -qt --ignore-zeros padded.zst
    fails "$SLUICE" -q -d --recover --ignore-zeros -f padded.zst -o part
    prefix_of part a
done
