# Each name that --rm removes changes the file's times: the run's own change is none.
for words in '' --no-sync -v; do
    for count in 2 5; do
        mapfile -t names < <(seq -f 'name%g' $count)
        corpus text 1K >name1
        for name in "${names[@]:1}"; do ln name1 "$name"; done
        works "$SLUICE" -q --rm $words "${names[@]}"
        for name in "${names[@]}"; do
            absent "$name"
            corpus text 1K | cmp - <(zstd -dcq "$name.zst")
            rm "$name.zst"
        done
    done
done
