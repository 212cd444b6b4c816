corpus text 3M >a
"$SLUICE" -q -B1M a
works "$SLUICE" -l a.zst >list
grep -qE '^ *3 +2 +.*MiB +3\.00 MiB .*XXH64 +yes +a\.zst$' list
for name in a.zst "$FIXTURES"/{single-frame,no-checksum,three-frames-concatenated,skippable-frames-around,pzstd-level1,zeros-70MB,empty-content,window-2GiB}.zst; do
    "$SLUICE" -l "$name" | awk 'NR == 2 { print $1, $2 }' >ours
    zstd -lv "$name" 2>/dev/null | awk -F': *' '/^# Zstandard Frames/ { frames = $2 } /^# Skippable|^# Zstandard Skippable/ { skipped = $2 } END { print frames + 0, skipped + 0 }' >theirs
    same ours theirs
done
# Several files have their sums; sizes to the byte, and the window that is needed, come with -v.
works "$SLUICE" -l a.zst "$FIXTURES/single-frame.zst" >list
tail -n 1 list | grep -qE '^ *4 +2 .* 2 files$'
works "$SLUICE" -lv a.zst "$FIXTURES/window-2GiB.zst" >list
grep -qE "^ *3 +2 +$(size a.zst) +3145728 .* yes +[0-9]+ +0  a\.zst$" list
grep -qE ' 2147483648 +0  .*window-2GiB.zst$' list
fails "$SLUICE" -l "$FIXTURES/empty-content.zst" missing.zst
says 'missing.zst'
head -c 1000 a.zst >cut.zst
fails "$SLUICE" -l cut.zst
fails "$SLUICE" -l < <(cat a.zst)
