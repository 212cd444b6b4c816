# The commands of Debian's mkinitramfs and unmkinitramfs. The kernel reads one frame, and panics at the next
# (docs/readers.md): by zstd's name there is one, whatever the size.
needs cpio
source "$SCRIPTS/programs/names.bash"
mkdir -p tree/bin
corpus binary 9M >tree/bin/init
corpus text 2M >tree/modules
ln -s init tree/bin/sh
for words in '-q -1 -T0' '-q -9 -T0'; do
    # shellcheck disable=SC2086
    (cd tree && find . -print0 | LC_ALL=C sort -z | cpio --quiet -o -0 -H newc -R 0:0 --reproducible | zstd $words) >initrd.img
    works zstd -q -c -t initrd.img
    "$real" -q -t initrd.img
    rm -rf out
    mkdir out
    zstd -q -c -d initrd.img | (cd out && cpio --quiet -i)
    diff -r tree out
    [ "$(zstdcat initrd.img | cpio --quiet -t | wc -l)" = 5 ]
    [ "$("$SLUICE" -l initrd.img | awk 'NR == 2 { print $1, $2 }')" = '1 0' ] || fail "$words: $("$SLUICE" -l initrd.img)"
done
# Who wants frames says so, and gets them by our own name.
for words in '-B1M' '--no-single-frame -1'; do
    # shellcheck disable=SC2086
    zstd -q $words -c tree/bin/init >frames.zst
    [ "$("$SLUICE" -l frames.zst | awk 'NR == 2 { print ($1 > 1) }')" = 1 ] || fail "$words: $("$SLUICE" -l frames.zst)"
done
