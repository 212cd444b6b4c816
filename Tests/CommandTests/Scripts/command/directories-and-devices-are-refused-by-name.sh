mkdir folder
fails "$SLUICE" folder
says 'folder: is a directory'
fails "$SLUICE" -d folder
fails "$SLUICE" -f folder
absent folder.zst
mknod zero c 1 5 2>/dev/null || skip 'devices can not be made here'
fails "$SLUICE" zero
says 'zero: is a device'
absent zero.zst
mknod null c 1 3
works "$SLUICE" -fc null >null.zst
zstd -dc null.zst | cmp - /dev/null
corpus text 10K >a
fails "$SLUICE" a -o folder
says 'is a directory'
[ -d folder ]
no_leftovers
