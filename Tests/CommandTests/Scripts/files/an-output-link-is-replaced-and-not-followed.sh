corpus text 10K >a
echo precious >precious
ln -s precious a.zst
fails "$SLUICE" a
[ "$(cat precious)" = precious ]
works "$SLUICE" -qf a
[ "$(cat precious)" = precious ]
zstd -dc a.zst | cmp - a
