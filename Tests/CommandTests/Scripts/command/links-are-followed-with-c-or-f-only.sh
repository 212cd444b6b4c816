corpus text 10K >a
ln -s a link
fails "$SLUICE" link
says 'link: is a symbolic link'
absent link.zst
works "$SLUICE" -c link >b.zst
zstd -dc b.zst | cmp - a
works "$SLUICE" -f link
zstd -dc link.zst | cmp - a
[ ! -L link.zst ]
[ -L link ]
