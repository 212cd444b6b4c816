corpus text 3M >a
corpus random 2M >b
"$SLUICE" -q -B1M a b
zstd -qf -19 b -o b19.zst
cat a.zst b.zst b19.zst a.zst >all.zst
cat a b b a >all
"$SLUICE" -dc all.zst | cmp - all
cat all.zst | "$SLUICE" -d | cmp - all
zstd -dc all.zst | cmp - all
