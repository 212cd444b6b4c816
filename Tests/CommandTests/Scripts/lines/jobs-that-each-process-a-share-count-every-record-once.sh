. "$SCRIPTS/lines/tools.bash"
log 30000 >log
wanted=$(grep -c match log)
works "$SLUICE" -q --lines -B64K log
zstd -tq log.zst
for count in 1 2 3 7 1000; do
    ((count > 7)) && parts='1 2 499 500 501 1000' || parts=$(seq "$count")
    found=0
    for part in $parts; do
        works "$SLUICE" -q -dc --part="$part/$count" log.zst >share
        # No record is cut.
        [ ! -s share ] || [ "$(tail -c1 share | od -An -tx1)" = ' 0a' ]
        if grep -v '^record ' share; then fail "part $part of $count begins within a record"; fi
        found=$((found + $(grep -c match share || true)))
    done
    ((count > 7)) || [ "$found" = "$wanted" ] || fail "$found of $wanted in $count parts"
done
# As a job array starts them.
for task in 0 1 2; do
    env SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=0 "$SLUICE" -q -dc --part=auto log.zst
done | cmp - log
# Each frame has whole records by itself: any reader of the seek table can share them out.
works "$SLUICE" -q -dc --offset=0 --length=1 log.zst >first
"$SLUICE" -q -l -v log.zst >&9
