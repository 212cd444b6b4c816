# Around a block, a chunk, and every power of two up to 2 MiB.
corpus text 3M >all
sizes='0 1 131071 131072 131073'
for power in {1..21}; do sizes+=" $((2 ** power - 1)) $((2 ** power)) $((2 ** power + 1))"; done
for size in $sizes; do
    head -c "$size" all >a
    "$SLUICE" -1 -c a >a.zst
    zstd -dc a.zst | cmp - a
    zstd -1 -qc a | "$SLUICE" -d | cmp - a
done
