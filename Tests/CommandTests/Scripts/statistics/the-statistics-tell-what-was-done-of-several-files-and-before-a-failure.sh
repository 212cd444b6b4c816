. "$SCRIPTS/statistics/tools.bash"
needs_schema
for name in a b c; do corpus text 3M | sed "s/^/$name /" >$name; done
works "$SLUICE" a b c --stats-file=json
check json 'outcome == "success"' 'files == 3' "bytesIn == $(cat a b c | wc -c)" "bytesOut == $(cat a.zst b.zst c.zst | wc -c)"
fails "$SLUICE" -f a missing c --stats-file=json
check json 'outcome == "failure"' 'files == 2 and failedFiles == 1' "bytesIn == $(cat a c | wc -c)" \
    "error == \"missing: can't open: no such file or directory; 1 of 3 files is not complete\""
# What came before the damage was done, and counts.
corpus random 8M >large
"$SLUICE" -q -B1M large
truncate -s 5M large.zst
fails "$SLUICE" -f -t large.zst --stats-file=json
check json 'outcome == "failure"' 'files == 0 and failedFiles == 1' 'bytesIn == 5 << 20' '0 < contentBytes <= 5 << 20' 'ratio is None' \
    'error.startswith("large.zst: ") and verdict == "failed: " + error and limitedBy is None'
# An output that fails is not said to be slow.
corpus random 8M | exits 1 "$SLUICE" -qq --stats-file=json -f -o /dev/full
check json 'error == "/dev/full: can'"'"'t write: no space left on device"' 'limitedBy is None'
# Of several files with one output file all are complete, or none; standard output takes what there is.
exits 1 "$SLUICE" -f a missing c -o all --stats=json
grep -v '^sluice: ' "$messages" >json
check json 'outcome == "failure"' 'files == 0 and failedFiles == 3' 'error.startswith("missing: ") and "; 3 of 3 files are" in error'
exits 1 "$SLUICE" -c a missing c --stats=json >/dev/null
grep -v '^sluice: ' "$messages" >json
check json 'outcome == "failure"' 'files == 2 and failedFiles == 1'
