. "$SCRIPTS/statistics/tools.bash"
corpus random 8M >data
"$SLUICE" -q -B256K data
"$SLUICE" -q -B256K --limit-rate=2M --progress=plain -c data 2>plain >/dev/null &
"$SLUICE" -q -B256K --limit-rate=2M --progress=json -c data 2>compress.json >/dev/null &
cat data.zst | "$SLUICE" -q --limit-rate=4M --progress=json --stream-size="$(size data.zst)" -d 2>decompress.json >/dev/null &
"$SLUICE" -q --limit-rate=4M --progress=json -t data.zst data.zst 2>test.json &
(cat data; sleep 3.5) | "$SLUICE" --copy --progress=json 2>copy.json >/dev/null &
"$SLUICE" -B256K --no-progress -c data 2>none >/dev/null
[ ! -s none ]
"$SLUICE" -B256K -c data 2>auto >/dev/null
[ ! -s auto ]
wait
grep -qE '^[0-9]{2}:[0-9]{2}:[0-9]{2} data [0-9]+% [0-9.]+ MiB > [0-9.]+ MiB [01]\.[0-9]+x ' plain
if grep -q $'[\r\e]' plain; then fail 'more than text'; fi
cat >check.py <<'P'
import json, os
size, packed = os.path.getsize("data"), os.path.getsize("data.zst")
known = {"file", "filesDone", "files", "bytesIn", "bytesDone", "bytesOut", "totalBytes", "currentBytesPerSecond", "averageBytesPerSecond",
         "elapsedSeconds", "remainingSeconds", "stalledSeconds", "bufferFill", "ratio", "fraction"}
def read(name):
    lines = [json.loads(line) for line in open(name)]
    assert all(set(line) <= known for line in lines), lines
    for a, b in zip(lines, lines[1:]):
        assert a["bytesIn"] <= b["bytesIn"] and a["bytesOut"] <= b["bytesOut"] and a["elapsedSeconds"] <= b["elapsedSeconds"]
    return lines
lines = read("compress.json")
assert 3 <= len(lines) <= 7, lines
middle, last = lines[1], lines[-1]
assert middle["file"] == "data" and middle["files"] == 1 and middle["totalBytes"] == size
assert 0.6 * 2**21 < middle["averageBytesPerSecond"] < 1.3 * 2**21, middle
assert 0 < middle["remainingSeconds"] < 8 and 0.7 < middle["ratio"] < 1.4
assert (last["bytesIn"], last["bytesOut"], last["filesDone"]) == (size, packed, 1), last
last = read("decompress.json")[-1]
assert "file" not in last and (last["bytesIn"], last["bytesOut"], last["totalBytes"]) == (packed, size, packed), last
last = read("test.json")[-1]
assert (last["bytesIn"], last["bytesOut"], last["files"], last["filesDone"]) == (2 * packed, 2 * size, 2, 2), last
lines = read("copy.json")
assert all("ratio" not in line and "totalBytes" not in line for line in lines)
assert any(line.get("stalledSeconds", 0) > 2 for line in lines), lines
P
python check.py
