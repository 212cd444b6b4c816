corpus text 3000 >a
works "$SLUICE" -f a a
zstd -dcq a.zst | cmp - a
rm a.zst
# Without -f the second finds the first.
fails "$SLUICE" a a
zstd -dcq a.zst | cmp - a
no_leftovers
