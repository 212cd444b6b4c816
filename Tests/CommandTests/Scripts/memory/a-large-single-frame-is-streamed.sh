corpus text 16M >part
for mib in 256 768; do
    for ((index = 0; index < mib / 16; index++)); do cat part; done | zstd -q -1 -T0 >$mib.zst
    perl "$SCRIPTS/peak.pl" "$SLUICE" -T2 -qt $mib.zst >peak.$mib
    perl "$SCRIPTS/peak.pl" "$SLUICE" -T2 -qt - <$mib.zst >>peak.$mib
    [ "$("$SLUICE" -dc $mib.zst | wc -c)" = $((mib << 20)) ]
done
paste peak.256 peak.768 | while read -r small large; do
    [ "$large" -lt 110000 ] || fail "$large KiB"
    [ $((large - small)) -lt 8192 ] || fail "$small KiB for 256 MiB, $large KiB for 768 MiB"
done
