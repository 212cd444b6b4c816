# Each name that --rm removes changes the file's times: the run's own change is none.
for words in '' --no-sync -v; do
    for count in 2 5; do
        corpus text 1K >1
        for name in $(seq 2 $count); do ln 1 "$name"; done
        names=$(seq $count)
        works "$SLUICE" -q --rm $words $names
        for name in $names; do
            absent "$name"
            corpus text 1K | cmp - <(zstd -dcq "$name.zst")
            rm "$name.zst"
        done
    done
done
