corpus binary 12M >a
"$SLUICE" -T1 -c a >one.zst
for threads in 2 3 8; do
    "$SLUICE" -T$threads -c a | cmp - one.zst
    "$SLUICE" -T$threads <a | cmp - one.zst
    cat a | "$SLUICE" -T$threads | cmp - one.zst
    perl -e 'open $in, "<", "a"; while (sysread $in, $part, 1 + int rand 300000) { syswrite STDOUT, $part }' |
        "$SLUICE" -T$threads | cmp - one.zst
    "$SLUICE" -q -f -T$threads a
    same a.zst one.zst
done
