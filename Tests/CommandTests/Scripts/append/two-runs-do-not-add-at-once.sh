corpus text 3M >a
works "$SLUICE" -q a -o all.zst
cp all.zst before
no_temporary() { [ -z "$(temporaries)" ]; }
mkfifo slow
spawn status timeout 60 "$SLUICE" -q --append -o all.zst slow &
exec 5>slow
echo first >&5
await has_temporary
fails "$SLUICE" -q --append a -o all.zst
says 'another process is making all.zst'
same before all.zst
# Who is killed leaves nothing but the old file.
kill -KILL "$(pgrep -P "$(pid status)" || pid status)"
exec 5>&-
wait
await no_temporary
same before all.zst
works "$SLUICE" -q --append a -o all.zst
same <(cat a a) <(zstd -dc all.zst)
# What took the name meanwhile stays.
spawn status2 timeout 60 "$SLUICE" -q --append -o all.zst slow 2>said &
exec 5>slow
await has_temporary
cp before new
mv new all.zst
exec 5>&-
wait
grep -q 'changed during --append: not replaced' said
same before all.zst
no_leftovers
