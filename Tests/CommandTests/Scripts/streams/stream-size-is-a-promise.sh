# As zstd does: a producer that was cut short is noticed.
corpus text 1M >a
for words in '' --single-frame; do
    for size in 1048575 1048577 1; do
        # shellcheck disable=SC2086
        fails "$SLUICE" $words --stream-size=$size -o out.zst <a
        says "read 1048576 bytes, but --stream-size said $size"
        absent out.zst
        # shellcheck disable=SC2086
        cat a | fails "$SLUICE" $words --stream-size=$size >part.zst
        says "$size"
    done
    # shellcheck disable=SC2086
    cat a | works "$SLUICE" $words --stream-size=1M >whole.zst
    zstd -dcq whole.zst | cmp - a
done
cat a | works "$SLUICE" --copy --stream-size=1M | cmp - a
cat a | fails "$SLUICE" --copy --stream-size=2M >copy
says 'read 1048576 bytes, but --stream-size said 2097152'
