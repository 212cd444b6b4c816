# The commands of Debian's mkinitramfs and unmkinitramfs. The kernel reads one frame: --single-frame (docs/readers.md).
command -v cpio >/dev/null || skip "no cpio here"
source "$SCRIPTS/programs/names.bash"
mkdir -p tree/bin
corpus binary 3M >tree/bin/init
corpus text 2M >tree/modules
ln -s init tree/bin/sh
for words in '-q -1 -T0' '-q -9 -T0' '-q -1 -T0 --single-frame'; do
    # shellcheck disable=SC2086
    (cd tree && find . -print0 | LC_ALL=C sort -z | cpio --quiet -o -0 -H newc -R 0:0 --reproducible | zstd $words) >initrd.img
    works zstd -q -c -t initrd.img
    "$real" -q -t initrd.img
    rm -rf out
    mkdir out
    zstd -q -c -d initrd.img | (cd out && cpio --quiet -i)
    diff -r tree out
    [ "$(zstdcat initrd.img | cpio --quiet -t | wc -l)" = 5 ]
done
[ "$("$SLUICE" -l initrd.img | awk 'NR == 2 { print $1, $2 }')" = '1 0' ]
