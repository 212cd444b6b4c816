corpus text 16M >part
if is_long; then sizes="256 768"; else sizes="144 192"; fi
for mib in $sizes; do
    for ((index = 0; index < mib / 16; index++)); do cat part; done | zstd -q -1 -T0 >$mib.zst
    for input in $mib.zst -; do
        peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -T2 -qt $input <$mib.zst)
        [ "$peak" -lt 120000 ] || fail "$peak KiB for a frame of $mib MiB"
    done
    [ "$("$SLUICE" -dc $mib.zst | wc -c)" = $((mib << 20)) ]
done
works "$SLUICE" -t "$FIXTURES/zeros-70MB.zst"
