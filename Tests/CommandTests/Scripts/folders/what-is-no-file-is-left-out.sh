mkdir -p tree/sub closed
echo one >tree/one
echo two >tree/sub/two
ln -s one tree/link
ln -s .. tree/sub/up
ln -s nowhere tree/dangling
mkfifo tree/fifo
mknod tree/device c 1 3
works timeout 20 "$SLUICE" -r tree
says 'warning: skipped 5 symbolic links or special files'
says '2 files: '
[ "$(find tree -name '*.zst' | wc -l)" = 2 ]
find tree -name '*.zst' -delete
# With -f links are followed, but not in a circle; pipes and devices are never read because they lie there.
fails timeout 20 "$SLUICE" -rf tree
says 'tree/sub/up: leads back to a directory above it: not followed'
says 'tree/dangling: '
zstd -dc tree/link.zst | cmp - tree/one
[ "$(find tree -name '*.zst' | wc -l)" = 3 ]
find tree -name '*.zst' -delete
# So is a link that was named.
ln -s tree named
fails "$SLUICE" -r named
says 'named: is a symbolic link to a directory: skipped'
says 'hint: -f follows it'
[ -z "$(find tree -name '*.zst')" ]
# What can't be read is a failure, and the rest is done.
chmod 777 tree tree/sub
mkdir tree/closed
chmod 000 tree/closed
fails ordinary "$SLUICE" -r tree
says 'tree/closed: can'
says '2 of 3 files OK, 1 failed: '
[ "$(find tree -name '*.zst' | wc -l)" = 2 ]
# Its name may end in a slash; what is not there is no directory.
for name in closed closed/; do
    fails ordinary "$SLUICE" -r tree/$name
    says "sluice: tree/$name: can't read the directory: permission denied"
done
fails ordinary "$SLUICE" -r tree/missing/
says "sluice: tree/missing/: can't open: no such file or directory"
# Nothing to do is no failure.
mkdir empty
works "$SLUICE" -r empty
says 'warning: the named directories contain no files'
