# Long: it needs readers that few have.
# docs/readers.md: programs that read what is packed in frames, where they are. scripts/readers installs them.
needs curl nginx
corpus text 3M >a
pack() { "$SLUICE" -qc "$([ "$1" = one ] && echo --single-frame || echo -B256K)"; }
tried=0
has() { command -v "$1" >/dev/null && tried=$((tried + 1)); }
if has 7zz; then
    for name in one many; do
        pack $name <a >$name.zst
        7zz e -so $name.zst 2>out | same /dev/stdin a
    done
fi
# The table that finds the words of a module lies at its end, in the last frame.
if has /sbin/modinfo && command -v gcc >/dev/null; then
    printf '.section .modinfo, "a"\n.string "license=GPL"\n.data\n.incbin "a"\n' | gcc -x assembler -c - -o module.ko
    for name in one many; do
        pack $name <module.ko >$name.ko.zst
        [ "$(/sbin/modinfo -F license ./$name.ko.zst)" = GPL ]
    done
fi
if has tshark; then
    perl -e 'print pack "VvvVVVV", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1;
        print pack("VVVV", $_, 0, 814, 814), "\0" x 12, "\x08\0", pack("N", $_) x 200 for 1 .. 3000' >packets
    for name in one many; do
        pack $name <packets >$name.pcap.zst
        [ "$(tshark -r $name.pcap.zst -T fields -e frame.number 2>out | tail -n 1)" = 3000 ]
    done
fi
# A package whose payload is packed again: rpm2cpio does not look at its sums.
if command -v rpmbuild >/dev/null && command -v bsdtar >/dev/null && has rpm2cpio; then
    cat >it.spec <<SPEC
%define _binary_payload w3.zstdio
Name: it
Version: 1
Release: 1
Summary: it
License: none
BuildArch: noarch
%description
it
%install
mkdir -p %{buildroot}/usr
cp $PWD/a %{buildroot}/usr
%files
/usr/a
SPEC
    HOME=$PWD rpmbuild --quiet -bb --define "_topdir $PWD/rpm" it.spec >out 2>&1 || fail "$(cat out)"
    start=$(perl -0777 -ne 'print index $_, "\x28\xb5\x2f\xfd"' rpm/RPMS/*/it-*.rpm)
    for name in one many; do
        head -c "$start" rpm/RPMS/*/it-*.rpm >$name.rpm
        tail -c "+$((start + 1))" rpm/RPMS/*/it-*.rpm | zstd -dc | pack $name >>$name.rpm
        rpm2cpio $name.rpm | bsdtar -xOf - | same /dev/stdin a
    done
fi
# The manager of Arch Linux, into a folder of its own, which it may only as root.
if [ "$(id -u)" = 0 ] && command -v bsdtar >/dev/null && has pacman; then
    mkdir -p package/usr
    cp a package/usr/a
    printf 'pkgname = it\npkgver = 1-1\narch = any\n' >package/.PKGINFO
    for name in one many; do
        (cd package && bsdtar -cf - .PKGINFO usr) | pack $name >$name.pkg.tar.zst
        mkdir -p root-$name/db
        pacman -U --noconfirm --noscriptlet --root "$PWD/root-$name" --dbpath "$PWD/root-$name/db" --gpgdir "$PWD/keys" \
            --cachedir "$PWD/cache" --logfile "$PWD/log" --config /dev/null $name.pkg.tar.zst >out 2>&1 || fail "$(cat out)"
        same root-$name/usr/a a
    done
fi
# An image whose layer is packed so, copied with its layer unpacked.
if has skopeo; then
    tar -cf layer.tar a
    sum() { sha256sum <"$1" | cut -d ' ' -f 1; }
    blob() {
        cp "$1" "image/blobs/sha256/$(sum "$1")"
        printf '{"mediaType": "application/vnd.oci.image.%s", "digest": "sha256:%s", "size": %s}' "$2" "$(sum "$1")" "$(size "$1")"
    }
    for name in one many; do
        rm -rf image
        mkdir -p image/blobs/sha256
        pack $name <layer.tar >layer
        printf '{"architecture": "amd64", "os": "linux", "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}' "$(sum layer.tar)" >config
        printf '{"schemaVersion": 2, "config": %s, "layers": [%s]}' "$(blob config config.v1+json)" "$(blob layer layer.v1.tar+zstd)" >manifest
        printf '{"schemaVersion": 2, "manifests": [%s]}' "$(blob manifest manifest.v1+json)" >image/index.json
        printf '{"imageLayoutVersion": "1.0.0"}' >image/oci-layout
        skopeo --insecure-policy copy --dest-decompress oci:image dir:copy-$name >out 2>&1 || fail "$(cat out)"
        same "copy-$name/$(sum layer.tar)" layer.tar
    done
fi
# What nginx serves as packed is passed on as it is: curl unpacks it.
if has nginx && curl --version | grep zstd >/dev/null; then
    pack one <a >one.zst
    pack many <a >many.zst
    chmod 755 .
    cat >nginx.conf <<CONF
daemon off;
pid $PWD/nginx.pid;
error_log $PWD/nginx.log;
events {}
http {
    access_log off;
    client_body_temp_path $PWD/body;
    proxy_temp_path $PWD/proxy;
    fastcgi_temp_path $PWD/fastcgi;
    uwsgi_temp_path $PWD/uwsgi;
    scgi_temp_path $PWD/scgi;
    server {
        listen unix:$PWD/socket;
        root $PWD;
        add_header Content-Encoding zstd;
    }
}
CONF
    nginx -c "$PWD/nginx.conf" -e "$PWD/nginx.log" >out 2>&1 &
    trap 'kill $!' EXIT
    await test -S socket
    for name in one many; do
        curl -sS --max-time 60 --compressed --unix-socket socket http://it/$name.zst | same /dev/stdin a
    done
fi
[ $tried -gt 0 ] || skip 'no such programs here'
