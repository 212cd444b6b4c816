corpus text 300K >a
mkfifo pipe
cat a >pipe &
works "$SLUICE" -c pipe >a.zst
wait
zstd -dc a.zst | cmp - a
works "$SLUICE" -c <(cat a) >b.zst
zstd -dc b.zst | cmp - a
works "$SLUICE" <(cat a) -o c.zst
zstd -dc c.zst | cmp - a
works "$SLUICE" -d <(cat a.zst) -o d
same d a
