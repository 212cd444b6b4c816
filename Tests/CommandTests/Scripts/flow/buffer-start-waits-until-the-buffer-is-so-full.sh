. "$SCRIPTS/flow/tools.bash"
corpus random 8M >a
# 4 MiB a second; half of 4 MiB is there after half a second.
(perl -e '$| = 1; while (read STDIN, $b, 65536) { print $b; select undef, undef, undef, 1 / 64 }' <a) |
    START=$(now) "$SLUICE" --copy --buffer=4M --buffer-start=75 | START=$(now) meter waited &
(perl -e '$| = 1; while (read STDIN, $b, 65536) { print $b; select undef, undef, undef, 1 / 64 }' <a) |
    "$SLUICE" --copy --buffer=4M | START=$(now) meter direct &
# After it has run dry it waits again: of what comes late and slowly, nothing is passed on at first.
(head -c 6M a; sleep 1; tail -c 2M a | perl -e '$| = 1; while (read STDIN, $b, 65536) { print $b; select undef, undef, undef, 1 / 16 }') |
    "$SLUICE" --copy --buffer=4M --buffer-start=75 | START=$(now) meter dry &
wait
holds waited '$1 == 8 * 1048576 && $6 > 0.6 && $6 < 2'
holds direct '$1 == 8 * 1048576 && $6 < 0.5'
# The last 2 MiB, which take two seconds, do not fill it: they come when the input has ended.
holds dry '$1 == 8 * 1048576 && $4 > 1.8'
# A short input is passed on at its end.
[ "$(printf short | "$SLUICE" --copy --buffer=1G --buffer-start=100)" = short ]
printf short | "$SLUICE" --buffer=64M --buffer-start=50 | zstd -dc | grep -qx short
for wrong in -1 101 x; do fails "$SLUICE" --copy --buffer=4M --buffer-start=$wrong a -o b; done
absent b
