. "$SCRIPTS/statistics/tools.bash"
# A slow reader: what is read and decompressed ahead of it stands beside no size of what it has.
corpus text 24M >data
"$SLUICE" -q -B1M data
"$SLUICE" -dcq --progress=json --interval=0.1 data.zst 2>lines |
    perl -e 'while (sysread STDIN, $_, 1 << 19) { select undef, undef, undef, 0.04 }'
"$SLUICE" -dc --progress=plain --interval=0.1 --limit-rate="$(($(size data.zst) / 5))" data.zst 2>plain >/dev/null
"$SLUICE" -cq -B1M --progress=json --interval=0.1 --limit-rate=16M data 2>>lines >/dev/null
cat >check.py <<'P'
import json, re
lines = [json.loads(line) for line in open("lines")]
told = [line for line in lines if "ratio" in line]
assert len(told) > 10, lines
for line in told:
    small, large = sorted((line["bytesDone"], line["bytesOut"]))
    assert abs(line["ratio"] * small / large - 1) < 1e-6, line
    assert 0 <= line["fraction"] <= 1 and line["bytesDone"] <= line["bytesIn"], line
units = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}
shown = re.findall(r"([0-9.]+) ([KM]?i?B) > ([0-9.]+) ([KM]?i?B) ([0-9.]+)x", open("plain").read())
assert len(shown) > 2, shown
for small, unit, large, of, ratio in shown:
    assert abs(float(large) * units[of] / (float(small) * units[unit]) / float(ratio) - 1) < 0.02, (small, large, ratio)
P
python check.py
