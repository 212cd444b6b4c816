mkfifo data
spawn status "$SLUICE" --flush-interval=0.2 <data >out.zst &
exec 8>data
for count in 1 2 3; do
    echo "line $count" >&8
    frames() { [ "$(zstd -dc out.zst 2>/dev/null | wc -l)" = $count ]; }
    await frames
done
exec 8>&-
ended status 0
[ "$(zstd -dc out.zst)" = $'line 1\nline 2\nline 3' ]
[ "$("$SLUICE" -dc out.zst)" = $'line 1\nline 2\nline 3' ]
[ "$("$SLUICE" -l out.zst | awk 'NR == 2 { print $1 }')" = 3 ]
# Without it nothing is written before the frame is full.
spawn status2 "$SLUICE" <data >out2.zst &
exec 8>data
echo line >&8
sleep 1
[ ! -s out2.zst ]
exec 8>&-
ended status2 0
[ "$(zstd -dc out2.zst)" = line ]
# And it does not matter when data flows.
corpus text 5M >a
"$SLUICE" --flush-interval=20 -c a | cmp - <("$SLUICE" -c a)
