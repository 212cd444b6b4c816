. "$SCRIPTS/statistics/tools.bash"
corpus text 20M >a
works "$SLUICE" -B1M -T2 a --trace=trace
cat >check.py <<'P'
import json
events = json.load(open("trace"))
tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
assert {"reader", "writer", "worker 1", "worker 2"} <= set(tracks.values()), tracks
steps = [e for e in events if e["ph"] == "X"]
assert all(e["tid"] in tracks and e["ts"] >= 0 and e["dur"] >= 0 for e in steps)
def total(name): return sum(e["args"]["bytes"] for e in steps if e["name"] == name)
import os
assert total("read") == os.path.getsize("a")
assert total("write") == os.path.getsize("a.zst")
assert sum(e["args"]["source"] for e in steps if e["name"] == "work") == os.path.getsize("a")
assert len([e for e in steps if e["name"] == "work"]) == 20
# The steps of a worker follow one another, but for rounding.
for track in tracks:
    mine = sorted((e["ts"], e["dur"]) for e in steps if e["tid"] == track and e["name"] == "work")
    assert all(a[0] + a[1] <= b[0] + 0.01 for a, b in zip(mine, mine[1:]))
P
python check.py
no_leftovers
