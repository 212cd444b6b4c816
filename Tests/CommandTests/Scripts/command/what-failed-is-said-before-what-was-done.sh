corpus random 3M >a
cp a b
"$SLUICE" -q -B1M a b
printf damage | dd of=a.zst bs=1 seek=1500000 conv=notrunc status=none
exits 1 "$SLUICE" -t a.zst missing.zst b.zst
[ "$(tail -n 1 "$messages" | cut -d : -f 1)" = '1 of 3 files OK, 2 failed' ] || fail "$(cat "$messages")"
[ "$(grep -c '^sluice: a.zst: ' "$messages")" -ge 1 ]
exits 1 "$SLUICE" -df --recover a.zst -o c
tail -n 1 "$messages" | grep -q 'MiB/s$' || fail "$(cat "$messages")"
