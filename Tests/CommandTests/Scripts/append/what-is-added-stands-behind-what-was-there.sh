. "$SCRIPTS/statistics/tools.bash"
corpus text 3M >a
corpus random 1M >b
corpus text 9M >c
# A name that nothing has is that of a new file; one frame has no table, and gets one with the second.
works "$SLUICE" -q --append a -o all.zst
[ "$("$SLUICE" -l all.zst | awk 'NR == 2 { print $1, $2, $9 }')" = '1 0 no' ]
works "$SLUICE" -q --append b -o all.zst
"$SLUICE" -qc a >first
prefix_of first all.zst
works "$SLUICE" -q --append -1 -B1M c a -o all.zst
works "$SLUICE" -q --append -o all.zst <b
cat a b c a b >whole
same whole <(zstd -dc all.zst)
[ "$("$SLUICE" -l all.zst | awk 'NR == 2 { print $1, $2, $9 }')" = '15 2 yes' ]
works "$SLUICE" -tq all.zst
# What was there is not compressed again, and any part of all is found by the table.
same <(head -c 100 <(tail -c +12000001 whole)) <("$SLUICE" -d --offset=12000000 --length=100 all.zst)
works "$SLUICE" -d -v --tail=10 -o tail all.zst
refuses grep -q 'decoding from the start' "$messages"
# Mode and times are those of the old file; frames that are added are verified where that is asked for.
chmod 640 all.zst
touch -d '2001-02-03 04:05:06' all.zst
works "$SLUICE" -q --append --verify b -o all.zst
[ "$(stat -c %a all.zst)" = 640 ]
# Files of others: one frame, many, skippable ones, none with content, no byte.
zstd -q a -o single.zst
cat single.zst single.zst single.zst >many.zst
printf '\x50\x2a\x4d\x18\x04\x00\x00\x00abcd' | cat - single.zst >skippable.zst
cp "$FIXTURES/t2sz.tar.zst" "$FIXTURES/empty-content.zst" .
: >nothing.zst
for file in single many skippable t2sz.tar empty-content nothing; do
    zstd -dcq $file.zst >before || [ $file = nothing ]
    works "$SLUICE" -q --append a -o $file.zst
    works "$SLUICE" -q --append b -o $file.zst
    same <(cat before a b) <(zstd -dc $file.zst)
    works "$SLUICE" -tq $file.zst
    same <(cat before a b | tail -c 1500000) <("$SLUICE" -d --tail=1500000 $file.zst)
done
no_leftovers
