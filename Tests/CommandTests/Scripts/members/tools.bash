# tree: a folder of everything that tar keeps.
tree() {
    mkdir -p tree/folder tree/empty "tree/$(printf 'n%.0s' {1..150})"
    corpus text 300K >tree/text
    printf 'linked' >tree/folder/first
    ln tree/folder/first tree/folder/hard
    ln -s first tree/folder/soft
    mkfifo tree/folder/fifo
    : >tree/nothing
    printf 'x' >"tree/$(printf 'n%.0s' {1..150})/$(printf 'm%.0s' {1..150})"
    printf 'odd' >"tree/$(printf 'a\nb\\c \377 \303\274')"
    truncate -s 3M tree/holes
    printf 'middle' | dd of=tree/holes bs=1 seek=1500000 conv=notrunc status=none
    truncate -s 9M tree/hole tree/many
    # More extents than a header has room for.
    for place in {1..60}; do
        printf 'extent' | dd of=tree/many bs=1 seek=$((place * 131072 + 5000)) conv=notrunc status=none
    done
    touch -d '2001-02-03 04:05:06.789' tree/folder/first
    chmod 4750 tree/text
    chmod 1777 tree/folder
    if [ "$(id -u)" = 0 ]; then
        chown 4321:1234 tree/text
        mknod tree/device c 5 300
        mknod tree/block b 7 0
    fi
}

# tars: tree, as each program writes it.
tars() {
    tar --sort=name --format=gnu -cSf gnu.tar tree
    tar --sort=name --format=oldgnu -cSf oldgnu.tar tree
    tar --format=v7 -cf v7.tar tree/folder/first tree/folder/hard tree/folder/soft tree/text tree/nothing tree/empty
    tar --format=ustar -cf ustar.tar tree/folder tree/text tree/nothing tree/holes
    local version
    for version in 0.0 0.1 1.0; do tar --sort=name --format=pax --sparse-version=$version -cSf pax$version.tar tree; done
    if command -v bsdtar >/dev/null; then
        bsdtar --format=pax -cf bsdpax.tar tree
        bsdtar --format=ustar -cf bsdustar.tar tree/folder tree/text
        bsdtar --format=gnutar -cf bsdgnu.tar tree
    fi
    env -u BASH_ENV python3 - <<'PY'
import os, tarfile
for name, form in (("pyustar", tarfile.USTAR_FORMAT), ("pygnu", tarfile.GNU_FORMAT), ("pypax", tarfile.PAX_FORMAT)):
    with tarfile.open(name + ".tar", "w", format=form, errors="surrogateescape") as tar:
        for part in ("folder", "text", "nothing") if form == tarfile.USTAR_FORMAT else ("",):
            tar.add("tree/" + part if part else "tree")
# A name with each byte, and with characters that are none, or not seen.
names = [bytes([byte]) for byte in range(1, 256) if byte != ord("/")]
names += [chr(number).encode() for number in (
    0x85, 0xA0, 0xAD, 0x301, 0x200B, 0x2028, 0x202E, 0xE000, 0xFEFF, 0xFFFF, 0x4E2D, 0x1F600, 0x10FFFF)]
names += [b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\x1b[31m", b"\\", b'"']
with tarfile.open("names.tar", "w", format=tarfile.GNU_FORMAT, errors="surrogateescape") as tar:
    for name in names:
        member = tarfile.TarInfo(os.fsdecode(b"n" + name + b"e"))
        member.type, member.linkname = tarfile.SYMTYPE, os.fsdecode(b"t" + name)
        tar.addfile(member)
PY
}
