# 100,000 writes of 60 bytes go into one frame; each as a page of its own would be 400 MiB.
perl -e '$| = 1; for (1 .. 100000) { print "x" x 59, "\n"; select undef, undef, undef, 0 if $_ % 64 == 0 }' |
    perl "$SCRIPTS/peak.pl" bash -c 'exec "$SLUICE" -T2 >out.zst' | tail -n 1 >peak
[ "$(zstd -dc out.zst | wc -c)" = 6000000 ]
[ "$(cat peak)" -lt 100000 ]
