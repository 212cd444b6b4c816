# As for the bar; a log has one line a second at most, with its time of day.
corpus random 8M >data
works "$SLUICE" --copy --limit-rate=4M --progress=plain --interval=0.2 --name=$'back\aup' data -o out
[ "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2} back\\u\{07\}up ' "$messages")" -ge 2 ] || fail "$(cat "$messages")"
[ -z "$(grep -oE '^[0-9:]{8} ' "$messages" | uniq -d)" ] || fail "$(cat "$messages")"
for seconds in 0 0.01 4000 x; do
    fails "$SLUICE" --interval=$seconds data -c
done
# However little of the input was needed, all is done in the end.
"$SLUICE" -q -B1M data
works "$SLUICE" -d --recover --progress=json data.zst -f -o out
grep -F '"fraction"' "$messages" | tail -n 1 | grep -qE '"fraction" ?: ?1[,}]' || fail "$(cat "$messages")"
