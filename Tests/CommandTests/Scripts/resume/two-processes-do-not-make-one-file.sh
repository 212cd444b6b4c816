# The second one is told, and the first one is not disturbed.
corpus text 4M >a
"$SLUICE" -q a -o whole.zst
"$SLUICE" -q --no-sync --limit-rate=1M --resume a -o out.zst &
first=$!
await test -s .out.zst.part.note
fails "$SLUICE" -q --resume a -o out.zst
says 'another process is making out.zst'
fails "$SLUICE" -qf --resume a -o out.zst
says 'another process is making out.zst'
wait "$first"
same out.zst whole.zst
absent .out.zst.part .out.zst.part.note
fails "$SLUICE" -q --resume a -o out.zst
says 'already exists'
works "$SLUICE" -qf --resume a -o out.zst
same out.zst whole.zst
