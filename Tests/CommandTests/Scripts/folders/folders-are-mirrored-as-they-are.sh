umask 022
mkdir -p tree/private/deep out
echo one >tree/private/deep/one
echo two >tree/two
chmod 750 tree/private
chmod 711 tree/private/deep
works "$SLUICE" -qr ./tree/ --output-dir-mirror out
[ "$(stat -c %a out/tree/private out/tree/private/deep out/tree | tr '\n' ' ')" = '750 711 755 ' ]
zstd -dc out/tree/private/deep/one.zst | cmp - tree/private/deep/one
works "$SLUICE" -qr "$PWD/tree" --output-dir-mirror absolute
zstd -dc "absolute$PWD/tree/two.zst" | cmp - tree/two
# A name that goes up would leave the folder.
cd tree/private
fails "$SLUICE" -r ../../tree --output-dir-mirror ../../out
says 'has .. in its path'
absent ../../out/tree.zst ../../out/two.zst
cd ../..
# No folder is made for what is not done, and one that can't be made is told.
fails "$SLUICE" missing/file --output-dir-mirror none
absent none
echo file >taken
fails "$SLUICE" tree/two --output-dir-mirror taken
says 'taken'
fails "$SLUICE" -r --rm tree --output-dir-mirror /proc/none
[ -e tree/two ]
