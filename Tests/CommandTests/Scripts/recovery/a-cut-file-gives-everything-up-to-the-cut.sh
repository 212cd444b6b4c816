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
# Between two frames of ours: the seek table is missing. All but that table: nothing is lost.
head -c $(($(size frames.zst) - 9)) frames.zst >cut.zst
works "$SLUICE" -q -d --recover -f cut.zst -o part
same a part
works "$SLUICE" -d --recover -f cut.zst -o part
says 'no content lost: the seek table is damaged, or cut'
