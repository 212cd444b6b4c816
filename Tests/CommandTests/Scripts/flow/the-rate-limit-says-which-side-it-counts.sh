. "$SCRIPTS/statistics/tools.bash"
"$SLUICE" --generate=man | tr -s '\n' ' ' >manual
grep -q 'limit-rate .* bytes of input per second.* these are compressed bytes' manual
# Zeros become so little that a limit on the side of the content would take a hundred times as long.
corpus random 2M >a
head -c 100M /dev/zero >>a
"$SLUICE" -q -B1M a
works "$SLUICE" -dc --limit-rate=2M a.zst --stats >/dev/null
says 'limited by --limit-rate, which counts compressed bytes: '
works "$SLUICE" -c -B1M --limit-rate=100M a --stats >/dev/null
says 'limited by --limit-rate: '
