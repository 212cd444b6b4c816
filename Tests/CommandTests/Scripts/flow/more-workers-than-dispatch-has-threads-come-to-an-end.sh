# The pools of Dispatch end at 255 threads: were the workers among them, nobody would read and write.
corpus text 8M >a
for words in '-T255' '-T300'; do
    # shellcheck disable=SC2086
    works timeout 60 "$SLUICE" -q -1 $words -B16K -c a >a.zst
    # shellcheck disable=SC2086
    works timeout 60 "$SLUICE" -q $words -dc a.zst >got
    same got a
done
works env ZSTD_NBTHREADS=300 timeout 60 "$SLUICE" -q -1 -B16K -c a >b.zst
same b.zst a.zst
# A large frame is decoded by all workers; and of many small files each has one.
cat a a >two
zstd -q -1 two -o one-frame.zst
works timeout 60 "$SLUICE" -q -T400 -dc one-frame.zst >got
same got two
split -n 300 -a 3 a part.
works timeout 60 "$SLUICE" -q -T300 --no-sync part.???
works timeout 60 "$SLUICE" -q -T300 -t part.*.zst
zstd -dcq part.*.zst >got
same got a
