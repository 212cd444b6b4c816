corpus text 10K >a
ln -s "$SLUICE" unzstd
ln -s "$SLUICE" zstdcat
ln -s "$SLUICE" zstdmt
ln -s "$SLUICE" zstd
works ./zstdmt -q a
works ./zstdcat a.zst >b
same a b
rm a
works ./unzstd a.zst
same a b
works ./zstd -f a
works ./zstd -dc a.zst >c
same a c
