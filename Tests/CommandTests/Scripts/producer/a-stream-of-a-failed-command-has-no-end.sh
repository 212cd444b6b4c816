# So that a reader finds out, whatever was written: one frame alone would look complete.
corpus text 6M >data
for size in 1 100000 1048576 1500000 2097152 6291456; do
    fails "$SLUICE" -qc -B1M --from-command -- sh -c "head -c $size data; exit 1" >cut.zst
    says 'sh exited with status 1; the output is incomplete'
    fails "$SLUICE" -t cut.zst
    "$SLUICE" -qc -B1M --from-command -- head -c "$size" data >whole.zst
    works "$SLUICE" -t whole.zst
    prefix_of cut.zst whole.zst
done
# Nor has one whose producer is killed, or that is killed itself.
(
    head -c 1500000 data
    sleep 30
) | spawn status "$SLUICE" -qc -B1M >cut.zst &
pid status >/dev/null
sleep 0.5
kill -KILL "$(pid status)"
await test -s status
fails "$SLUICE" -t cut.zst
# Without the option, the end of a pipe is the end of the input, whatever became of its writer.
{ bash -c 'head -c 1500000 data; kill -KILL $$' || true; } | works "$SLUICE" -q -B1M -o taken.zst
works "$SLUICE" -d -c taken.zst >taken
head -c 1500000 data | cmp - taken
