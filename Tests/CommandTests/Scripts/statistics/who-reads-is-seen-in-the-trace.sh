. "$SCRIPTS/statistics/tools.bash"
corpus text 20M >a
# The tracks on which the input was read; 1 is the reader's, 10 and up are the workers'.
readers() { python -c 'import json, sys; print(*sorted({e["tid"] for e in json.load(open("trace")) if e["name"] == "read"}))'; }
works "$SLUICE" -f -B1M -T2 a --trace=trace --read=dispatch
[ "$(readers)" = 1 ]
mv a.zst dispatch.zst
works "$SLUICE" -f -B1M -T2 a --trace=trace --read workers
[[ $(readers) == 1[0-9]* || $(readers) == "1 1"[0-9]* ]] || fail "read on $(readers)"
python -c 'import json
assert sum(e["args"]["bytes"] for e in json.load(open("trace")) if e["name"] == "read" and e["tid"] >= 10) == 20 << 20'
same a.zst dispatch.zst
# Of small files each worker reads its own.
corpus text 1000 >s1
cp s1 s2
works "$SLUICE" -f s1 s2 --trace=trace
[[ $(readers) == 1[0-9]* ]] || fail "read on $(readers)"
# Where there is nothing to choose, that is said.
for words in -d -t --single-frame --limit-rate=100M; do
    "$SLUICE" -fk $words --read=workers a.zst -o x 2>"$messages" || :
    says 'read is ignored'
done
