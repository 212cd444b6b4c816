# Of a program that is stopped in the middle, what is done stays, and nothing half done.
job=$(examples)/BatchJob
[ -x "$job" ] || skip 'the examples are not built'
seq 500000 >a
seq 500001 900000 >b
"$job" a b >said
zstd -q -d -c a.zst | cmp - a
zstd -q -d -c b.zst | cmp - b
grep -q "b: $(size b.zst) bytes in " said || fail "$(cat said)"
rm a.zst b.zst
# A hole that takes long enough to be stopped in the middle.
truncate -s 8T large
"$job" a large >said &
pid=$!
await test -e a.zst
kill -INT "$pid"
status=0
wait "$pid" || status=$?
[ "$status" -eq 130 ] || fail "it ended with $status: $(cat said)"
[ ! -e large.zst ] || fail 'there is half a file'
zstd -q -d -c a.zst | cmp - a
