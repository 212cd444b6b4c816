# What dialog --gauge reads: a number a line, that never falls, and 100 at the end.
corpus random 8M >data
works "$SLUICE" --copy --limit-rate=8M --progress=percent --interval=0.1 data -o out
[ "$(wc -l <"$messages")" -ge 5 ] || fail "few lines: $(cat "$messages")"
grep -vqE '^[0-9]+$' "$messages" && fail "a line that is no number: $(cat "$messages")"
sort -nc "$messages"
[ "$(tail -n 1 "$messages")" = 100 ]
# Without a total there is nothing to say.
works "$SLUICE" --copy --progress=percent --interval=0.1 < <(cat data; sleep 0.5) >out
silent
# The interval and the name hold for lines as for the bar; a log has one line a second at most, with its time of day.
works "$SLUICE" --copy --limit-rate=4M --progress=plain --interval=0.2 --name=$'back\aup' -f data -o out
[ "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2} back\\u\{07\}up ' "$messages")" -ge 2 ] || fail "$(cat "$messages")"
[ -z "$(grep -oE '^[0-9:]{8} ' "$messages" | uniq -d)" ] || fail "$(cat "$messages")"
for seconds in 0 0.01 4000 x; do
    fails "$SLUICE" --interval=$seconds data -c
done
# However little of the input was needed, all is done in the end.
"$SLUICE" -q -B1M data
works "$SLUICE" -d --recover --progress=percent data.zst -f -o out
[ "$(grep -E '^[0-9]+$' "$messages" | tail -n 1)" = 100 ] || fail "$(cat "$messages")"
