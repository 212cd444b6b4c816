. "$SCRIPTS/statistics/tools.bash"
corpus zeros 40M >a
mkfifo trace
# Whoever reads the trace takes nothing until the file has its name, for which the run can't have waited.
{
    await test -e a.zst
    exec cat
} <trace >taken &
works "$SLUICE" -1 -B1K a --trace=trace
wait $!
says 'warning: trace: '
says 'events were dropped: they came faster than they could be written'
zstd -dc a.zst | cmp - a
cat >check.py <<'P'
import json, re, sys
events = json.load(open("taken"))
gaps = [e["args"]["events"] for e in events if e["name"] == "events were dropped"]
assert sum(gaps) == int(re.search(r"(\d+) events were dropped", open(sys.argv[1]).read())[1]) > 1000, gaps
kept = sum(e["ph"] == "X" for e in events)
# What waited, and what the pipe took.
assert 65536 <= kept <= 80000, kept
P
python check.py "$messages"
# Where it is taken, nothing is missing.
works "$SLUICE" -f -1 -B16K a --trace=whole
if grep -q dropped "$messages" whole; then fail "$(cat "$messages")"; fi
no_leftovers
