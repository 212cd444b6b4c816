corpus text 10K >-a
works "$SLUICE" -- -a
zstd -dc -- -a.zst | cmp - -- -a
works "$SLUICE" -dc -- -a.zst >b
same b ./-a
