source "$SCRIPTS/dictionaries/samples.bash"
cat records records records >large
# A batch of small files; frames of a large one, on several workers; one frame; standard input; all that are read by zstd.
works "$SLUICE" -q -D dict samples/*
works "$SLUICE" -q -D dict -T3 -B64K large -o many.zst
works "$SLUICE" -q -D dict --single-frame large -o one.zst
works "$SLUICE" -q -D dict <large >in.zst
for name in many one in; do
    zstd -dcq -D dict "$name.zst" | cmp - large
    refuses zstd -tq "$name.zst"
    works "$SLUICE" -q -D dict -T3 -dc "$name.zst" >out
    same out large
    works "$SLUICE" -q -tD dict "$name.zst"
done
[ "$("$SLUICE" -l many.zst | awk 'NR == 2 { print $1 }')" -gt 5 ]
zstd -tq -D dict samples/*.zst
works "$SLUICE" -t -D dict samples/*.zst
# It is worth it: two thirds of what it takes without.
with=$(cat samples/*.zst | wc -c)
rm samples/*.zst
works "$SLUICE" -q samples/*
[ "$with" -lt "$(($(cat samples/*.zst | wc -c) * 2 / 3))" ]
rm samples/*.zst
# What zstd made, and small files beside one that has no dictionary.
zstd -q -D dict samples/a[ab]?
zstd -q --rm samples/aoa
mkdir whole
cp samples/a* whole
rm samples/aa? samples/ab?
works "$SLUICE" -q -d -D dict samples/*.zst
for name in whole/*[!t]; do [[ $name = *.zst ]] || same "$name" "samples/${name#*/}"; done
# It is content, too, for who has trained none, and frames need not say which one they need.
works "$SLUICE" -q -D samples/aoa samples/aoc -o content.zst
zstd -dcq -D samples/aoa content.zst | cmp - samples/aoc
works "$SLUICE" -q --no-dictID -D dict samples/aoc -o silent.zst
zstd -dcq -D dict silent.zst | cmp - samples/aoc
cmp -s silent.zst <(zstd -qc -D dict samples/aoc) && fail 'they say it all the same'
works "$SLUICE" -q -d -f -D dict silent.zst -o out
same out samples/aoc
