corpus text 10K >a
works "$SLUICE" -v -T3 a
says '3 workers'
says 'MiB'
grep -qi 'memory' "$messages"
# On a terminal of 80 columns no line breaks.
works "$SLUICE" -fv -T256 -19 a
if grep -E '.{80}' "$messages"; then fail 'a line is too long'; fi
