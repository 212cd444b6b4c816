# Each place of smaller streams, and many more of such as these: DamageTests.
needs pzstd
corpus text 1M >a
"$SLUICE" -c -B64K a >large.zst
zstd -q -c -T1 a >one.zst
pzstd -q -1 -p 2 -c a >p.zst 2>/dev/null
for name in large one p; do
    length=$(size $name.zst)
    for ((index = 1; index <= 10; index++)); do
        cut=$(((length * index / 10) - 1 - index * 37 % 1000))
        head -c $cut $name.zst >cut.zst
        if "$SLUICE" -T2 -dc cut.zst >part 2>/dev/null; then fail "$name cut at $cut of $length, and exit 0"; fi
        prefix_of part a
        if ((index % 5 == 0)); then
            if cat cut.zst | "$SLUICE" -d >part 2>/dev/null; then fail "$name cut at $cut in a pipe, and exit 0"; fi
            prefix_of part a
        fi
    done
done
# Where frames end as well: only after the first of them can't it be told.
"$SLUICE" -l large.zst >/dev/null
perl -e 'local $/; open $in, "<:raw", "large.zst"; $_ = <$in>; my $at = 4; while (($at = index $_, "\x28\xb5\x2f\xfd", $at) > 0) { print "$at\n"; $at += 4 }' >starts
[ "$(wc -l <starts)" -ge 11 ]
# The first of these is behind the stream header: before it is the end of the first frame.
for cut in $(cat starts); do
    head -c "$cut" large.zst >cut.zst
    fails "$SLUICE" -t cut.zst
done
