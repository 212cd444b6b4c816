run() { "$SLUICE" -f -o out.zst "$@" 2>said; }
corpus text 100K >a
# As GNU tar does when a file changes while it reads it.
fails "$SLUICE" -q -o out.zst --from-command -- sh -c 'cat a; exit 1'
absent out.zst
run --accept-status=1 --from-command -- sh -c 'cat a; exit 1'
"$SLUICE" -qdc out.zst | cmp - a
grep -qF 'sh exited with status 1, which --accept-status takes for a success' said
run --accept-status=1 --accept-status=3,255 --stats-file=stats.json --from-command -- sh -c 'cat a; exit 255'
"$SLUICE" -qdc out.zst | cmp - a
grep -q '"exitStatus" *: *255' stats.json
rm out.zst
# No other status, and never a signal.
for end in 'exit 2' 'kill -HUP $$' 'kill -KILL $$'; do
    fails "$SLUICE" -q -o out.zst --accept-status=1,129,137 --from-command -- sh -c "cat a; $end"
    absent out.zst
done
for statuses in 0 256 -1 x 1, ''; do fails "$SLUICE" --accept-status="$statuses" --from-command -- true; done
fails "$SLUICE" --accept-status=1 a
says '--accept-status needs --from-command'
