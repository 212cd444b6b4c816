# A chunk for each of them took thirty times as long as -t: here CPU time counts, which other programs do not change.
needs /usr/bin/time
perl -e 'print "\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00" x 400_000' >tiny.zst
time_of() {
    /usr/bin/time -o time -f '%U %S' "$@"
    awk '{ print int(1000 * ($1 + $2)) }' time
}
test=$(time_of "$SLUICE" -qt tiny.zst)
recovery=$(time_of "$SLUICE" -qd --recover tiny.zst -o out)
[ "$(stat -c %s out)" = 0 ]
[ "$recovery" -le $((5 * test + 200)) ] || fail "$recovery ms, and -t took $test ms"
