# From a file and from a pipe, with one thread and with several.
sha() { sha256sum | cut -d ' ' -f 1; }
count=0
while IFS='|' read -r _ name _ reads bytes sum _; do
    name=$(echo $name) reads=$(echo $reads) bytes=$(echo $bytes) sum=$(echo $sum)
    file=$FIXTURES/$name
    [ "$reads" = yes ] || continue
    count=$((count + 1))
    works "$SLUICE" -T1 -dc "$file" >out
    [ "$(sha <out)" = "$sum" ] || fail "$name"
    [ "$(size out)" = "$bytes" ]
    "$SLUICE" -T3 -dc "$file" | cmp - out
    for threads in 1 3; do cat "$file" | "$SLUICE" -T$threads -d | cmp - out || fail "$name from a pipe"; done
    works "$SLUICE" -t "$file"
done < <(grep '\.zst |' "$FIXTURES/README.md")
[ $count -ge 13 ]
