# From a file and from a pipe, with one thread and with several.
sha() { sha256sum | cut -d ' ' -f 1; }
count=0
while IFS='|' read -r _ name _ reads bytes sum _; do
    name=$(echo $name) reads=$(echo $reads) bytes=$(echo $bytes) sum=$(echo $sum)
    file=$FIXTURES/$name
    [ "$reads" = yes ] || continue
    count=$((count + 1))
    for threads in 1 3; do
        [ "$("$SLUICE" -T$threads -dc "$file" | sha)" = "$sum" ] || fail "$name"
        [ "$(cat "$file" | "$SLUICE" -T$threads -d | sha)" = "$sum" ] || fail "$name from a pipe"
        [ "$("$SLUICE" -T$threads -dc "$file" | wc -c)" = "$bytes" ]
    done
    works "$SLUICE" -t "$file"
done < <(grep '\.zst |' "$FIXTURES/README.md")
[ $count -ge 13 ]
