# A frame that stalls in its middle is streamed: what its whole blocks hold is there within a second or so.
needs pzstd
corpus text 3M >a
zstd -q -c -3 a >one.zst
"$SLUICE" -c -B4M a >own.zst
pzstd -q -1 -p 1 -c a >p.zst
for name in one own p; do
    half=$(($(size $name.zst) / 2))
    mkfifo data
    "$SLUICE" -d <data >out &
    exec 8>data
    head -c $half $name.zst >&8
    came() { [ "$(size out)" -gt 400000 ]; }
    since=$(now)
    await came
    awk -v a="$since" -v b="$(now)" 'BEGIN { exit !(b - a < 3) }' || fail "$name came late"
    prefix_of out a
    tail -c +$((half + 1)) $name.zst >&8
    exec 8>&-
    wait $!
    same out a
    rm data out
done
