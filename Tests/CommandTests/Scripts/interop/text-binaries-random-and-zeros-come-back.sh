needs pzstd
if is_long; then mib=9M; else mib=3M; fi
for kind in text binary random zeros; do
    corpus $kind $mib >a
    for options in -1 -3 '-9 -B1M' '--single-frame -5' '--no-check -2 -B512K' '--long=24 -1'; do
        # shellcheck disable=SC2086
        "$SLUICE" -c $options a >a.zst
        zstd -dc a.zst | cmp - a
        "$SLUICE" -dc a.zst | cmp - a
        cat a.zst | "$SLUICE" -d | cmp - a
    done
    zstd -q -T2 -B1M -c a | "$SLUICE" -d | cmp - a
    pzstd -q -p 3 -1 -c a >p.zst
    "$SLUICE" -dc p.zst | cmp - a
done
