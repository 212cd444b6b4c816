needs node
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
works "$SLUICE" -q --join part.* -o whole.zst --part-stats=stats/ --stats-file=all.json
check all.json 'run["operation"] == "join"' 'parts["slowest"] == 7' \
    '[one["part"] for one in parts["each"]] == list(range(1, 13))' \
    'parts["totalContentBytes"] == 4 << 20' \
    'parts["each"][6]["limitedBy"] == "rate"' \
    'parts["contentBytes"]["greatest"] - parts["contentBytes"]["least"] <= 128 << 10' \
    'parts["elapsedSeconds"]["greatest"] == parts["each"][6]["elapsedSeconds"]' \
    'parts["elapsedSeconds"]["median"] < parts["elapsedSeconds"]["greatest"]' \
    'parts["totalCPUSeconds"] > 0' \
    'sorted(one["contentBytesPerSecond"] for one in parts["each"])[5] <= parts["contentBytesPerSecond"]["median"]'
# For people.
works "$SLUICE" -qf --join part.* -o whole.zst --part-stats stats --stats
says 'parts 12, CPU '
grep -q '^part 7  .* rate$' "$messages"
works "$SLUICE" -qf --join part.* -o whole.zst --part-stats stats --report=page.html
drawn page.html | grep 'part 7 the slowest' >&9
# The other way, each part for itself.
mkdir back
for part in 1 2 3; do works "$SLUICE" -q -d --part=$part/3 whole.zst -o copy.$part --stats-file=back; done
check back/2-of-3.json 'run["part"]["number"] == 2' 'run["part"]["count"] == 3'
cat copy.1 copy.2 copy.3 | cmp - plain
# Statistics that are missing, of another part, or of something else.
refused() {
    fails "$SLUICE" --join part.* -o other.zst --part-stats=stats --stats-file=none.json
    rm none.json
    says "$1"
    absent other.zst
}
mv stats/03-of-12.json kept
refused "stats/03-of-12.json: can't read the statistics of part 3 of 12: no such file or directory"
cp stats/04-of-12.json stats/03-of-12.json
refused 'stats/03-of-12.json: is not the record of a run that made part 3 of 12'
for text in '' '{}' 'no JSON' "$(head -c 100 kept)" "$(sed 's/"contentBytes" : .*/"contentBytes" : 5,/' kept)"; do
    echo "$text" >stats/03-of-12.json
    refused 'stats/03-of-12.json: is not the record of a run that made part 3 of 12'
done
mv kept stats/03-of-12.json
fails "$SLUICE" --join part.* -o other.zst --part-stats=stats
says '--part-stats needs --stats, --stats-file or --report'
fails "$SLUICE" --part-stats=stats plain --stats
says '--part-stats only works with --join'
# Without a part a folder is none for statistics.
fails "$SLUICE" plain -o other.zst --stats-file=stats
absent other.zst
