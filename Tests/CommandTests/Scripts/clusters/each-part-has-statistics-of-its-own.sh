. "$SCRIPTS/statistics/tools.bash"
needs_schema
corpus text 4M >plain
mkdir stats
make() {
    local part=$1
    shift
    works "$SLUICE" -qf -1 -B128K --part="$part"/12 plain -o part."$part" --stats-file=stats "$@"
}
for part in {1..12}; do make "$part"; done
# One is slow; it is made again, and says so anew.
make 7 --limit-rate=500K
[ "$(find stats | wc -l)" = 13 ]
check stats/07-of-12.json 'run["part"] == {"number": 7, "count": 12}' 'limitedBy == "rate"'
works "$SLUICE" -q --join part.* -o whole.zst --stats-file=all.json
check all.json 'run["operation"] == "join"'
# The other way, each part for itself.
mkdir back
for part in 1 2 3; do works "$SLUICE" -q -d --part=$part/3 whole.zst -o copy.$part --stats-file=back; done
check back/2-of-3.json 'run["part"]["number"] == 2' 'run["part"]["count"] == 3'
cat copy.1 copy.2 copy.3 | cmp - plain
# Without a part a folder is none for statistics.
fails "$SLUICE" plain -o other.zst --stats-file=stats
absent other.zst
