needs script
corpus text 3M >data
# It has exited, and all that it wrote is read. What it has left keeps the pipe open, silent or not.
for rest in 'sleep 60' 'sleep 60 >&2' 'while :; do echo more; sleep 0.01; done' 'exec yes'; do
    since=$(now)
    works timeout 20 "$SLUICE" -o out.zst -f --from-command -- bash -c "($rest) & echo \$! >rest; cat data"
    awk -v end="$(now)" -v since="$since" 'BEGIN { exit !(end - since < 10) }' || fail "$rest is waited for"
    # Some of what it wrote meanwhile may be there.
    zstd -dcq out.zst >got
    [[ $rest == *more* || $rest == *yes* ]] || same got data
    kill "$(cat rest)" 2>/dev/null || true
done
# All of what it wrote, however late that is read.
for ((round = 0; round < 20; round++)); do
    works "$SLUICE" -f -o out.zst --from-command -- bash -c 'sleep 60 & echo $! >rest; cat data'
    zstd -dcq out.zst | cmp - data
    kill "$(cat rest)"
done
# A command whose output has ended, and that goes on, is waited for; the bar says so, and its end counts.
exits 1 script -qec "'$SLUICE' -o late.zst --from-command -- sh -c 'cat data; exec >&-; sleep 1; exit 7'" typescript >/dev/null </dev/null
grep -q 'waiting for sh to exit' typescript || fail "the bar does not say it: $(cat typescript)"
grep -q 'sh exited with status 7' typescript
absent late.zst
