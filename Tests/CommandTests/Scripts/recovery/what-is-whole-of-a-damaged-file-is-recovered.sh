# Zeros where it was lost, or nothing; told for people and for programs; and the output has its name.
needs python3
corpus text 3M >a
"$SLUICE" -q -B256K a -o a.zst
works "$SLUICE" -q -d --recover a.zst -o whole
same a whole
silent
middle=$(($(size a.zst) / 2))
cp a.zst bad.zst
printf '\377\000\377' | dd of=bad.zst bs=1 seek=$middle conv=notrunc status=none
fails "$SLUICE" -q -d --recover bad.zst
says 'bad.zst: 2883584 bytes recovered, 262144 lost, in 1 place'
says 'of the content, now zeros: corrupt frame at byte '
no_leftovers
[ "$(size bad)" = "$(size a)" ]
# Only one frame differs.
{ cmp -l a bad || true; } | awk 'NR == 1 { first = $1 } { last = $1; if ($3 != 0) exit 1 } END { exit int((first - 1) / 262144) != int((last - 1) / 262144) }'
fails "$SLUICE" -q -d --recover=drop -c bad.zst >short
[ "$(size short)" = $((3145728 - 262144)) ]
# The report is the same in JSON, which keeps its schema.
works "$SLUICE" -q -d --recover --json -f a.zst -o whole >report.json
if grep -q damage report.json; then fail "$(cat report.json)"; fi
fails "$SLUICE" -q -d --recover --json -f bad.zst >report.json
cat >check.py <<'PYTHON'
import json, os, sys
sys.path.insert(0, os.environ["SCRIPTS"] + "/statistics")
report = json.load(open("report.json"))
schema = json.load(open(os.environ["ROOT"] + "/docs/recovery.schema.json"))
file, form = report["files"][0], schema["properties"]["files"]["items"]
assert set(report) == set(schema["required"]), report
assert set(file) - {"damage"} == set(form["required"]) == set(form["properties"]) - {"nameBase64", "damage"}, file
assert file["damage"].startswith("corrupt frame"), file
ranges = form["properties"]["ranges"]["items"]
assert set(file["ranges"][0]) == set(ranges["required"]) == set(ranges["properties"]), file["ranges"]
assert file["recoveredBytes"] == 2883584 and file["lostBytes"] == file["zeroBytes"] == 262144 and file["exact"]
lost = file["ranges"][0]
assert lost["contentOffset"] % 262144 == 0 and lost["contentBytes"] == 262144, lost
assert lost["inputOffset"] <= int(sys.argv[1]) < lost["inputOffset"] + lost["inputBytes"], lost
PYTHON
export SCRIPTS ROOT
env -u BASH_ENV python3 -B check.py "$middle"
# Where the data goes to standard output, the report does not.
"$SLUICE" -q -d --recover --json -c bad.zst 2>err >data || [ $? = 1 ]
same data bad
grep -q '"recoveredBytes" : 2883584' err
# Bytes between two streams may have been content, though the tables of both miss nothing.
corpus text 100K >b
"$SLUICE" -q -B64K b
for between in "gzip -c b" "corpus random 5000"; do
    $between >foreign
    cat a.zst foreign b.zst >joined.zst
    fails "$SLUICE" -q -d --recover -c joined.zst >both
    cat a b | cmp - both
    says "joined.zst: bytes $(size a.zst) to $(($(size a.zst) + $(size foreign) - 1)): an unknown amount lost"
done
