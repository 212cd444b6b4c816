chmod 711 "$LOGS"
mkdir folder
corpus text 10K >folder/a
chmod 555 folder
fails ordinary "$SLUICE" folder/a
says 'permission denied'
[ "$(ls -A folder)" = a ]
chmod 0 folder/a
chmod 777 folder
fails ordinary "$SLUICE" folder/a
says 'folder/a: can'
[ "$(ls -A folder)" = a ]
chmod 644 folder/a
works ordinary "$SLUICE" folder/a
zstd -dc folder/a.zst | cmp - folder/a
# A folder that may be written and not be read can not be synced.
mkdir secret
cp folder/a secret/a
chmod 777 secret
chown 0 secret
chmod 733 secret
works ordinary "$SLUICE" secret/a
zstd -dc secret/a.zst | cmp - secret/a
fails "$SLUICE" folder/a -o missing/a.zst
says 'the directory missing does not exist'
