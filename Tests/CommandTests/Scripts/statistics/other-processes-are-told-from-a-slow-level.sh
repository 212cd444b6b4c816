# Alone: it keeps a CPU busy.
. "$SCRIPTS/statistics/tools.bash"
needs taskset
needs_schema
corpus text 6M >a
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
for _ in 1 2 3; do
    timeout 60 taskset -c "$cpu" sh -c 'while :; do :; done' &
done
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
works taskset -c "$cpu" "$SLUICE" -6 -B1M --no-sync a -o shared.zst --stats-file=shared
check shared 'limitedBy == "processors"' '"other processes had them" in verdict' 'workerUtilisation > 0.7'
