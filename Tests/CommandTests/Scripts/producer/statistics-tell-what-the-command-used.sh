corpus text 20M >data
"$SLUICE" -q -f --stats=json -o out.zst --from-command -- sh -c 'cat data; sleep 1.5' 2>stats
grep -A 7 '"command" : {' stats >command
for entry in '"exitStatus" : 0' '"name" : "sh"' '"peakMemoryBytes" : [0-9]{6,9}' '"systemSeconds" : ' '"userSeconds" : '; do
    grep -qE "$entry" command || fail "no $entry"
done
if grep -q signal command; then fail 'it was not killed'; fi
grep -q '"limitedBy" : "input"' stats
"$SLUICE" -q --stats-file=failed -o none.zst --from-command -- sh -c 'kill -9 $$' 2>/dev/null || true
grep -q '"signal" : 9' failed
"$SLUICE" -f --stats -o out.zst --from-command -- sh -c 'cat data; sleep 1.5' 2>said
grep -qE '^sh exited with status 0; CPU .* user, .* system; peak memory ' said
grep -q '^limited by the command sh: workers waited ' said
grep -qE '^out.zst: 20.0 MiB > ' said
