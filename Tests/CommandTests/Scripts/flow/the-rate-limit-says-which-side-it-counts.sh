. "$SCRIPTS/statistics/tools.bash"
"$SLUICE" --help | tr -s ' \n' ' ' >help
grep -q 'limit-rate <size> Read no more than this each second, .* with -d are compressed ones' help
# Zeros become so little that a limit on the side of the content would take a hundred times as long.
corpus random 2M >a
head -c 100M /dev/zero >>a
"$SLUICE" -q -B1M a
works "$SLUICE" -dc --limit-rate=2M a.zst --stats >/dev/null
says 'limited by --limit-rate, which counts compressed bytes: '
works "$SLUICE" -c -B1M --limit-rate=100M a --stats >/dev/null
says 'limited by --limit-rate: '
