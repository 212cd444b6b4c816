corpus text 10K >a
works "$SLUICE" a
says 'a: '
works "$SLUICE" -qf a
silent
fails "$SLUICE" -q missing
exits 1 "$SLUICE" -qq missing
silent
works "$SLUICE" -t a.zst
says 'no errors'
works "$SLUICE" -tq a.zst
silent
