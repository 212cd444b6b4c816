seq 1 300000 >a
printf 'no end' >>a
"$SLUICE" -q -B64K a
"$SLUICE" -q --lines -B64K a -o lines.zst
zstd -q a -o one.zst
for file in a.zst lines.zst one.zst; do
    for count in 0 1 2 10 9000 20000 300001 400000; do
        "$SLUICE" -qdc --tail-lines=$count $file | cmp - <(tail -n $count a) || fail "$file, $count lines"
    done
done
tr '\n' '\0' <a >records
"$SLUICE" -q -B64K records
"$SLUICE" -qdc --tail-lines=7 --lines=0 records.zst | cmp - <(tail -z -n 7 records)
printf 'a\n\n\nb\n' >few
"$SLUICE" -q few
for count in 1 2 3 4 5; do "$SLUICE" -qdc --tail-lines=$count few.zst | cmp - <(tail -n $count few); done
: >empty
"$SLUICE" -q empty
[ -z "$("$SLUICE" -qdc --tail-lines=3 empty.zst)" ]
fails "$SLUICE" -dc --tail-lines=3 < <(cat a.zst)
fails "$SLUICE" -dc --tail-lines=3 --tail=3 a.zst
