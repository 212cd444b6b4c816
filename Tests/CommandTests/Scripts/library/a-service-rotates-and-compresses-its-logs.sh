# The example LogKeeper, which is told to end in the middle of a log.
keeper=$ROOT/Examples/.build/debug/LogKeeper
[ -x "$keeper" ] || skip 'the examples are not built'
mkdir logs
"$keeper" logs 300000 2>said &
keeper_id=$!
for _ in {1..100}; do
    if [ -e logs/000004.log.zst ]; then break; fi
    sleep 0.1
done
kill -TERM $keeper_id
wait $keeper_id || fail "it did not end well: $(tail -n 3 said)"
# Every line is there, once, and every log is compressed.
[ -z "$(find logs -name '*.log')" ] || fail "$(ls logs)"
for log in logs/*.zst; do zstd -q -d -c "$log"; done >lines
[ "$(wc -l <lines)" -gt 10000 ] || fail 'there are few lines'
cmp lines <(seq "$(wc -l <lines)" | sed 's/^/info line /')
grep -q compressed said || fail "$(cat said)"
