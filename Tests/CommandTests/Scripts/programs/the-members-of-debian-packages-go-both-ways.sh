# dpkg-deb has libzstd in itself: its members are read by us, and it reads members that we made. It stops after the first
# frame (docs/readers.md).
needs ar
needs dpkg-deb
mkdir -p tree/DEBIAN tree/usr/share/example
corpus text 3M >tree/usr/share/example/text
corpus random 1M >tree/usr/share/example/random
printf 'Package: example\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: example\n' >tree/DEBIAN/control
dpkg-deb -Zzstd --root-owner-group -b tree a.deb
for member in control data; do
    ar p a.deb $member.tar.zst >$member.tar.zst
    works "$SLUICE" -t $member.tar.zst
    works "$SLUICE" -dc $member.tar.zst >$member.tar
    zstd -dcq $member.tar.zst | cmp - $member.tar
done
tar -tf data.tar | grep -x './usr/share/example/random'
ar p a.deb debian-binary >debian-binary
again() {
    "$SLUICE" -q -f -5 "$@" data.tar control.tar
    rm -rf b.deb out
    ar rcD b.deb debian-binary control.tar.zst data.tar.zst
}
again --single-frame
dpkg-deb -x b.deb out
diff -r tree/usr out/usr
[ "$(dpkg-deb -f b.deb Package)" = example ]
again -B1M
refuses dpkg-deb -x b.deb out
