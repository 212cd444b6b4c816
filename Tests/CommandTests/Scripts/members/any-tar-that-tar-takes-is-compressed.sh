needs python3
. "$SCRIPTS/members/tools.bash"
env -u BASH_ENV python3 - <<'PY'
def member(name, flag, size=0, link=b"", data=b"", number=None):
    block = bytearray(512)
    block[:len(name)] = name.encode()
    block[100:108] = b"0000644\0"
    block[108:124] = b"0000000\0" * 2
    block[124:136] = number or b"%011o\0" % size
    block[136:148] = b"00000000000\0"
    block[156] = ord(flag)
    block[157:157 + len(link)] = link
    block[257:265] = b"ustar\00000"
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + data + bytes(-len(data) % 512)

def records(flag, **values):
    text = b""
    for name, value in values.items():
        line = f" {name}={value}\n".encode()
        length = next(n for n in range(99) if n == len(line) + len(str(n)))
        text += str(length).encode() + line
    return member("pax", flag, len(text), data=text)

a, b, end = member("a", "0", 5, data=b"hello"), member("b", "0", 3, data=b"you"), bytes(1024)
# Listed as tar lists them.
whole = {
    "directory": member("d/", "5", 100) + member("d/f", "0", 5, data=b"hello"),
    "headers": records("x", path="one", linkpath="one") + records("x", path="two") + records("x", uname="me")
    + member("bar", "2", link=b"t"),
    **{f"type{flag}": member("f", flag, 3, data=b"acl") + a for flag in "AVNZ"},
}
for name, bytes_ in whole.items():
    open(f"whole-{name}.tar", "wb").write(bytes_ + end)
# Listed up to a place.
partial = {
    "global": a + records("g", path="other") + b + end,
    "header": a + records("x", path="other") + end,
    "number": a + member("n", "0", number=b"eight nine \0") + b + end,
    "link": a + member("l", "2", 100, link=b"t", data=b"x" * 100) + b + end,
    "cut": a + member("c", "0", 5000, data=b"x" * 1000),
    "else": a + b"neither zeros nor a header" * 100,
}
for name, bytes_ in partial.items():
    open(f"partial-{name}.tar", "wb").write(bytes_)
open("first.tar", "wb").write(member("n", "0", number=b"eight nine \0") + b + end)
PY
for name in whole-*.tar; do
    works "$SLUICE" -q --members "$name"
    silent
    zstd -dcq "$name.zst" | cmp - "$name"
    tar -tvf "$name" >wanted
    works "$SLUICE" -l --members "$name.zst" >listed
    same wanted listed
    LC_ALL=C tar -tvf "$name" >wanted
    LC_ALL=C works "$SLUICE" -l --members "$name.zst" >listed
    same wanted listed
done
tar -tvf <(head -c 1024 partial-cut.tar; head -c 1024 /dev/zero) >wanted
for name in partial-*.tar; do
    works "$SLUICE" --members "$name"
    says "warning: $name: no index of the members from byte 1024 on: "
    [ "$(grep -c . "$messages")" = 2 ] || fail "more than a warning and a summary: $(cat "$messages")"
    zstd -dcq "$name.zst" | cmp - "$name"
    works "$SLUICE" -qt "$name.zst"
    # What is in front of that is there, and nothing else is thought to be all.
    fails "$SLUICE" -l --members "$name.zst" >listed
    says 'damaged tar archive at byte 1024 '
    same wanted listed
    # A member behind that could have the same name, and then be the one that tar extracts.
    for pattern in a '?'; do
        works "$SLUICE" -dc --member="$pattern" "$name.zst" >out
        says "warning: $name.zst: the index ends at byte 1024 of the archive: what follows was not searched"
        same out <(printf hello)
    done
    fails "$SLUICE" -dc --member=b "$name.zst" >out
    says 'damaged tar archive at byte '
done
# Where nothing can be indexed there is no index.
works "$SLUICE" -q --members first.tar
zstd -dcq first.tar.zst | cmp - first.tar
fails "$SLUICE" -l --members first.tar.zst
says 'damaged tar archive at byte 0'
# Volumes of one archive.
corpus random 300K >large
tar -cM -L 100 -f v1 -f v2 -f v3 -f v4 large
for name in v?; do
    works "$SLUICE" -q --members "$name" -o "$name.zst"
    zstd -dcq "$name.zst" | cmp - "$name"
done
