mkdir -p folder/other
corpus text 10K >folder/a
works "$SLUICE" -q ./folder//a
works "$SLUICE" -qf "$PWD/folder/a"
works "$SLUICE" -qf folder/../folder/./a
zstd -dc folder/a.zst | cmp - folder/a
(cd folder/other && works "$SLUICE" -q ../a -o ./b.zst && works "$SLUICE" -q -d b.zst && same b ../a)
works "$SLUICE" -qf folder/a -o "$PWD/folder/other/b.zst"
fails "$SLUICE" folder/a/
fails "$SLUICE" folder/a -o folder/
fails "$SLUICE" folder/a -o folder/missing/b
fails "$SLUICE" folder/a -o .
fails "$SLUICE" folder/a -o /
ln -s folder link
works "$SLUICE" -qf link/a
zstd -dc folder/a.zst | cmp - folder/a
no_leftovers
