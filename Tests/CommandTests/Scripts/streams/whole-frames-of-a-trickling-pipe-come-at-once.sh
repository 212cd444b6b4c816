corpus text 30 >a
"$SLUICE" -c a >a.zst
mkfifo data
"$SLUICE" -d <data >out &
exec 8>data
for count in 1 2 3 4; do
    cat a.zst >&8
    lines() { [ "$(size out)" = $((count * 30)) ]; }
    since=$(now)
    await lines
    awk -v a="$since" -v b="$(now)" 'BEGIN { exit !(b - a < 2) }' || fail 'late'
done
exec 8>&-
wait $!
