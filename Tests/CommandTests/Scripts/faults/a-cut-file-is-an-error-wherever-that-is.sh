# Some of them, through a file and a pipe; each is tried by DamageTests.
corpus text 200 >part
cat part part part part part part >a
"$SLUICE" -c -B1024 a >small.zst
[ "$("$SLUICE" -l small.zst | awk 'NR == 2 { print $1, $2 }')" = '2 2' ]
length=$(size small.zst)
# The end of the first frame, where the stream header begins, is a valid shorter file, and the only one.
first=$(perl -e 'local $/; $_ = <>; print index $_, "\x53\x2a\x4d\x18"' small.zst)
[ "$first" -gt 100 ]
for cut in 0 1 3 4 5 9 17 $((first - 1)) $first $((first + 1)) $((first + 4)) $((length / 2)) $((length - 9)) $((length - 1)); do
    head -c $cut small.zst >cut.zst
    code=0
    "$SLUICE" -T1 -dc cut.zst >out 2>"$messages" || code=$?
    [ $code = $((cut == first ? 0 : 1)) ] || fail "cut at $cut of $length: exit code $code"
    prefix_of out a
done
# One frame has no such place.
"$SLUICE" -c a >small.zst
length=$(size small.zst)
for cut in 0 1 4 6 14 $((length / 2)) $((length - 4)) $((length - 1)); do
    head -c $cut small.zst >cut.zst
    code=0
    "$SLUICE" -T1 -d <cut.zst >out 2>"$messages" || code=$?
    [ $code = 1 ] || fail "cut at $cut of $length: exit code $code"
    prefix_of out a
done
