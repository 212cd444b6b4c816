"""Small inputs of each kind for the fuzzer to begin with: seeds.py SLUICE FOLDER."""

import hashlib
import json
import os
import io
import struct
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Campaigns"))
import frames
from run import piped, succeed

LARGEST = 4096
# The order of Subject.all.
SCANNING, TABLE, DECODING, ACCESS, RECOVERY, TRAILER, RESUMPTION, INDEX, DICTIONARY, ARCHIVE, MEMBERS, GZIP, KEYS, PROFILES, PARITY = range(15)


def compressed(binary, folder, plain):
    """Small files: those of the campaigns, and some more."""
    found = frames.files(binary, folder, plain)

    def made(name, *words):
        found[name] = succeed([*words], folder)

    made("small frames", binary, "-qc", "-1", "-B1K", "plain")
    made("small frames without checksums", binary, "-qc", "-1", "-B1K", "--no-check", "plain")
    made("parity", binary, "-qc", "--parity", "plain")
    made("live", binary, "-qc", "-1", "-B1K", "--flush-interval=1", "plain")
    made("part", binary, "-qc", "-1", "-B1K", "--part=1/2", "plain")
    found["unsized"] = succeed(["zstd", "-qc", "-1"], folder, stdin=piped(os.path.join(folder, "plain")))
    found["unsized, three times"] = found["unsized"] * 3
    for name in ("gzip", "xz", "lzma", "lz4"):
        made(name, name, "-c", "plain")
        found[f"{name} after frames"] = found["unsized"] + found[name]
    found["nothing"] = b""
    for magic in (0x1EB52FFD, 0xFD2FB51E, *range(0xFD2FB522, 0xFD2FB528)):
        found[f"legacy {magic:x}"] = struct.pack("<I", magic) + plain[:40]
    found["empty table"] = found["zstd"] + frames.skippable(struct.pack("<IBI", 0, 0, 0x8F92EAB1), 14)
    return {name: data for name, data in found.items() if len(data) <= LARGEST}


def archive(form, *members):
    """A tar: for each member its type, name, and the bytes of it or of its link."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as tar:
        for kind, name, text in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, text if kind in (tarfile.LNKTYPE, tarfile.SYMTYPE) else ""
            member.mtime, member.uname = 1.5 if form == tarfile.PAX_FORMAT else 1, "user"
            member.size = len(text) if kind == tarfile.REGTYPE else 0
            tar.addfile(member, io.BytesIO(text.encode()))
    return made.getvalue()


def archives(binary, folder):
    """Tars, and indexes of their members."""
    name = os.path.join(folder, "archive.tar")
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        long = "n" * (90 if form == tarfile.USTAR_FORMAT else 120)
        data = archive(form, (tarfile.DIRTYPE, "d", ""), (tarfile.REGTYPE, "d/f", "text"), (tarfile.REGTYPE, long, ""),
                       (tarfile.LNKTYPE, "d/h", "d/f"), (tarfile.SYMTYPE, "d/s", "f"), (tarfile.CHRTYPE, "d/c", ""))
        data = data.rstrip(b"\0") + bytes(-len(data.rstrip(b"\0")) % 512 + 1024)
        for piece in (0, 3):
            yield bytes([ARCHIVE, piece]) + data[:LARGEST]
            yield bytes([ARCHIVE, piece]) + data[: len(data) // 512 // 2 * 512] + data[:1000]
        with open(name, "wb") as file:
            file.write(data)
        made = succeed([binary, "-qc", "--members", name], folder)
        yield bytes([MEMBERS]) + made[made.index(struct.pack("<I", 0x184D2A55)):-40]
    fields = b"5\0\xed\3\2\0\0\1" + b"0\3\xa4\3\0\0\1a\1b\2\4\0\1"
    yield bytes([MEMBERS, 2]) + struct.pack("<QH", 2048, 7) + b"\0\1d\1\2/f" + fields


def inputs(found, plain):
    """What each subject gets of them."""
    for data in found.values():
        for size in (0, 2, 200):
            yield bytes([SCANNING, size]) + data
        yield bytes([TABLE]) + data
        yield bytes([TABLE]) + data[-200:]
        for way in range(4):
            yield bytes([DECODING, way]) + data
        yield bytes([ACCESS]) + struct.pack("<IH", 1500, 700) + data
        for filling in range(2):
            yield bytes([RECOVERY, filling]) + data
            yield bytes([RECOVERY, filling]) + data[: len(data) // 3] + data[len(data) // 3 + 1 :]
        for way in range(4):
            yield bytes([RESUMPTION, way]) + struct.pack("<H", 1000) + plain[:1000] + data
        yield bytes([INDEX, 0]) + struct.pack("<HHH", 4, len(data), len(plain)) + data
        yield bytes([INDEX, 0]) + struct.pack("<HHHHHHH", 12, *[len(data) // 3, len(plain)] * 3) + data
    small = found["small frames"]
    for way in (1, 3):
        kept = small[:-50]
        yield bytes([RESUMPTION, way]) + struct.pack("<H", len(kept)) + kept + plain
    # Skippable frames are not a part's.
    frame = found["one frame"][: -50]
    content = frames.frame([frames.block(0, 200, plain[:200])], descriptor=0x20, after=bytes([200]))
    for size in (200, len(plain)):
        yield bytes([TRAILER, 1]) + struct.pack("<IQqHB", 1, size, 1, 200 if size == 200 else 4096, 1) + content
        yield bytes([TRAILER, 1]) + struct.pack("<IQqHB", 1, size, 1, 4096, 0) + frame
    yield bytes([TRAILER]) + found["part"]
    # A member as gzip writes it, and its data without a header (with its name) and a trailer.
    for part, room in ((0xFFFF, 0xFFFF), (0, 0), (99, 999)):
        yield bytes([GZIP]) + struct.pack("<HHB", part, room, 1) + found["gzip"]
        yield bytes([GZIP]) + struct.pack("<HHB", part, room, 0) + found["gzip"][10 + len("plain\0"):-8]
    # A description of parity without what is before its numbers, and after them.
    parity = found["parity"]
    yield bytes([PARITY]) + struct.pack("<H", len(parity) - 76) + parity[:-76] + parity[-60:-12]
    dictionary = plain[:500]
    for name in ("dictionary", "zstd", "unsized", "small frames"):
        yield bytes([DICTIONARY]) + struct.pack("<H", len(dictionary)) + dictionary + found[name]


def keys():
    """What gives keys, and profiles, as in Tests/RemoteSourcesTests."""
    time = "2026-11-28T20:34:11Z"
    yield bytes([KEYS, 0]) + (
        "<R><Credentials>\n<SessionToken>t</SessionToken><SecretAccessKey> s/+= </SecretAccessKey>"
        f"<Expiration>{time}</Expiration><AccessKeyId>a</AccessKeyId></Credentials></R>").encode()
    parts = dict(AccessKeyId="a", SecretAccessKey="s", Expiration=time)
    for kind, more in ((1, dict(Version=1)), (1, dict(Version=1, SessionToken=None)), (2, dict(Token="t")),
                       (3, dict(Token="t", Code="Success")), (3, dict(Token="t", Code=["Failed"]))):
        yield bytes([KEYS, kind]) + json.dumps(dict(parts, **more)).encode()
    yield bytes([PROFILES]) + b"""# comment
[DEFAULT]
region = x
[default]
aws_access_key_id=A
 continued
s3 =
    addressing_style = path
[profile "a b"]
credential_process: /x 'a "b' "c\\"d" e\\ f
"""
    yield bytes([PROFILES]) + b"[a]\r\nX = 1\r\nx : 2\r\n"
    yield bytes([PROFILES]) + b"region = x\n"


def main():
    binary, target = sys.argv[1:]
    plain = b"".join(b"%d %x status=%d\n" % (n, n * n * 7919 % 1000003, n % 7) for n in range(200))
    os.makedirs(target, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        found = compressed(os.path.realpath(binary), folder, plain)
        for data in [*inputs(found, plain), *archives(os.path.realpath(binary), folder), *keys()]:
            with open(os.path.join(target, hashlib.sha1(data).hexdigest()), "wb") as file:
                file.write(data)


main()
