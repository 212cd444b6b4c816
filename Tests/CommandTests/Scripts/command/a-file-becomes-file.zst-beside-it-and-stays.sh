mkdir folder
corpus text 300K >folder/a.txt
works "$SLUICE" folder/a.txt
zstd -dc folder/a.txt.zst | cmp - folder/a.txt
mv folder/a.txt kept
works "$SLUICE" -d folder/a.txt.zst
same folder/a.txt kept
[ "$(ls -A folder)" = $'a.txt\na.txt.zst' ]
