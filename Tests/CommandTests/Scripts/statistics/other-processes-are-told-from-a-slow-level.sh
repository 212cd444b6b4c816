# Alone: it needs a CPU that it shares with three others, and with them only.
. "$SCRIPTS/statistics/tools.bash"
needs taskset
needs_schema
corpus text 6M >a
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
for _ in 1 2 3; do
    taskset -c "$cpu" sh -c 'while :; do :; done' &
done
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
works taskset -c "$cpu" "$SLUICE" -9 -B1M --no-sync a -o shared.zst --stats-file=shared
check shared 'limitedBy == "processors"' '"other processes had them" in verdict' 'workerUtilisation > 0.7'
kill $(jobs -p)
wait
# More threads than CPUs keep each other busy, and nobody else does.
alone() {
    works taskset -c "$cpu" "$SLUICE" -f -9 -B1M -T4 --no-sync a -o alone.zst --stats-file=alone
    grep -q '"limitedBy" *: *"work"' alone
}
await alone
