printf x >a
for rate in 0 -1 -5M x 5X 1.5M 10M/h ' ' '' 0K 1e9 99999999999999999999 99999999T; do
    fails "$SLUICE" --limit-rate="$rate" a
    says '--limit-rate'
    [ "$(grep -vc '^sluice: hint' "$messages")" = 1 ] || fail "more than a sentence: $(cat "$messages")"
    absent a.zst
done
fails "$SLUICE" a --limit-rate
# The slowest and the fastest are no nonsense.
works "$SLUICE" --limit-rate=1 a
works "$SLUICE" -f --limit-rate=16777215T a
