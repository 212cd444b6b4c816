. "$SCRIPTS/clusters/slurm.bash"
corpus text 6M >'a file'
"$SLUICE" -q -1 -B256K 'a file' -o one.zst
# Slow enough to be killed in the middle.
read -r array join < <("$ROOT/Examples/clusters/slurm.sh" 'a file' 4 -1 -B256K --limit-rate 600K)
running() { squeue -h -j "${array}_2" -t RUNNING -o %i | grep -q .; }
await running
await has_temporary
scontrol requeue "${array}_2"
ended() { ! squeue -h -j "$array,$join" 2>/dev/null | grep -q .; }
for attempt in {1..5}; do
    # Who is requeued may be told to wait longer than this test does.
    scontrol update JobId="${array}_2" StartTime=now 2>/dev/null || true
    [ -e 'a file.zst' ] && break
    (await ended) 2>/dev/null && break
done
[ -e 'a file.zst' ] || fail "no file after $attempt turns: $(squeue; cat slurm-*.out)"
same 'a file.zst' one.zst
ls 'a file'.*-of-4.zst 2>/dev/null && fail "parts are left"
no_leftovers
grep -h 'part . of 4 (SLURM_ARRAY_TASK_ID=' slurm-*.out
scontrol show job "${array}_2" | grep -q 'Restarts=[1-9]'
scontrol show job "$join" | grep -q JobState=COMPLETED
