# Long: it needs a cluster of Slurm, and more time than most.
. "$SCRIPTS/clusters/slurm.bash"
corpus text 6M >'a file'
"$SLUICE" -q -1 -B256K 'a file' -o one.zst
# Slow enough to be killed in the middle.
read -r array join < <("$ROOT/Examples/clusters/slurm.sh" 'a file' 4 -1 -B256K --limit-rate 600K)
running() { squeue -h -j "${array}_2" -t RUNNING -o %i | grep -q .; }
await running
await has_temporary
scontrol requeue "${array}_2"
# Who is requeued is told to wait longer than a test does, when its end has been noticed.
for ((second = 0; second < 60; second++)); do
    scontrol update JobId="${array}_2" StartTime=now 2>/dev/null || true
    [ ! -e 'a file.zst' ] || break
    sleep 1
done
[ -e 'a file.zst' ] || fail "no file: $(squeue; cat slurm-*.out; tail -n 20 "$slurm"/*.log)"
is_complete() { scontrol show job "$join" | grep -q JobState=COMPLETED; }
await is_complete
same 'a file.zst' one.zst
ls 'a file'.*-of-4.zst 2>/dev/null && fail "parts are left"
no_leftovers
grep -h 'part . of 4 (SLURM_ARRAY_TASK_ID=' slurm-*.out
scontrol show job "${array}_2" | grep -q 'Restarts=[1-9]'
