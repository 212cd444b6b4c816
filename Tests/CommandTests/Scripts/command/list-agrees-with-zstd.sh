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
works "$SLUICE" -l < <(cat a.zst)
# Sizes that no file has, but a header may claim: 13.5 PiB, and all that 64 bits can say.
ln -s "$SLUICE" zstd
for size in '\0\0\x96\xc8\x51\0\x36\0' '\xff\xff\xff\xff\xff\xff\xff\x7f' '\xfd\xff\xff\xff\xff\xff\xff\xff'; do
    printf '\x28\xb5\x2f\xfd\xe0%b\1\0\0' "$size" >claim.zst
    works "$SLUICE" -l claim.zst
    works "$SLUICE" -lv claim.zst claim.zst
    for words in -l -lv -lvv; do
        ./zstd $words claim.zst >ours
        zstd $words claim.zst >theirs 2>/dev/null
        same ours theirs
    done
    fails "$SLUICE" -dc claim.zst
done
