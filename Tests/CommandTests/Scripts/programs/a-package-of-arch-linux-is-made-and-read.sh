# makepkg has COMPRESSZST=(zstd -c -T0 --ultra -20 -); pacman reads with libarchive.
needs bsdtar
source "$SCRIPTS/programs/names.bash"
mkdir -p package/usr/bin
corpus binary 2M >package/usr/bin/example
printf 'pkgname = example\n' >package/.PKGINFO
(cd package && bsdtar -cf - .PKGINFO usr) | zstd -c -T0 --ultra -20 - >example.pkg.tar.zst
"$real" -t -q example.pkg.tar.zst
for words in '' '-B512K' '--single-frame'; do
    # shellcheck disable=SC2086
    "$real" -dc example.pkg.tar.zst | zstd -c -T0 $words - >again.pkg.tar.zst
    rm -rf out
    mkdir out
    bsdtar -xf again.pkg.tar.zst -C out
    diff -r package out
done
bsdtar -tf example.pkg.tar.zst | grep -x 'usr/bin/example'
