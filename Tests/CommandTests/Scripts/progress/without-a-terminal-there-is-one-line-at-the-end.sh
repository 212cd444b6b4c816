corpus text 3M >a
(cat a; sleep 0.7) | works "$SLUICE" -o out.zst
[ "$(wc -l <"$messages")" = 1 ]
if LC_ALL=C grep -q $'\r\|\e' "$messages"; then fail 'a bar in a file'; fi
grep -qE '^out.zst: 3\.00 MiB > [0-9.]+ [KM]iB \([0-9.]+x\) in [0-9.]+ s, [0-9.]+ [KMG]iB/s$' "$messages"
works "$SLUICE" --progress -qf a
works "$SLUICE" -d -f -o back out.zst
grep -q '3.00 MiB' "$messages"
