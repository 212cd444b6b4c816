corpus text 3M >a
for option in stats-file trace report; do
    fails "$SLUICE" -B64K a --$option=/dev/full
    says '/dev/full: can'
    says 'the output itself is complete'
    zstd -dc a.zst | cmp - a
    rm a.zst
done
# One that fails does not keep the others from being written.
fails "$SLUICE" a --trace=/dev/full --stats-file=json --report=report.html
grep -q '"outcome" : "success"' json
grep -q '</html>' report.html
# Nothing is complete if the run failed.
fails "$SLUICE" missing --stats-file=/dev/full
if grep -q 'complete' "$messages"; then fail 'nothing is complete'; fi
no_leftovers
