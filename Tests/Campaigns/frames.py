"""Compressed files to damage: every kind that is written, and frames made by hand."""

import os
import struct

from run import run, succeed

MAGIC, SKIPPABLE = 0xFD2FB528, 0x184D2A50


def block(kind, size, data=b"", is_last=True):
    """A block, whose header says this type (0 raw, 1 RLE, 2 compressed) and size, whatever the data is."""
    return struct.pack("<I", size << 3 | kind << 1 | is_last)[:3] + data


def frame(blocks, window=0x38, descriptor=0, after=b""):
    """A frame with this descriptor and window byte (0x38: 128 KiB); `after` is the rest of its header."""
    return struct.pack("<IB", MAGIC, descriptor) + (b"" if descriptor & 0x20 else bytes([window])) + after + b"".join(blocks)


def skippable(data, kind=0, size=None):
    return struct.pack("<II", SKIPPABLE + kind, len(data) if size is None else size) + data


def raw(data):
    """A frame of raw blocks, without a checksum."""
    parts = [data[start : start + 65536] for start in range(0, len(data), 65536)] or [b""]
    return frame([block(0, len(part), part, part is parts[-1]) for part in parts])


def boundaries(data):
    """Where frames, their headers and their blocks begin, as far as they can be told: places worth to damage."""
    places, at = [], 0
    while at + 8 <= len(data):
        places.append(at)
        magic, size = struct.unpack_from("<II", data, at)
        if magic & 0xFFFFFFF0 == SKIPPABLE:
            at += 8 + size
            continue
        if magic != MAGIC:
            break
        descriptor = data[at + 4]
        single = descriptor >> 5 & 1
        header = 5 + (1 - single) + (0, 1, 2, 4)[descriptor & 3] + (single, 2, 4, 8)[descriptor >> 6]
        places += [at + 4, at + 5, at + header - 1]
        at += header
        is_last = False
        while not is_last and at + 3 <= len(data):
            places.append(at)
            field = int.from_bytes(data[at : at + 3], "little")
            is_last = field & 1
            at += 3 + (1 if field >> 1 & 3 == 1 else field >> 3)
        places.append(at)
        at += 4 if descriptor & 4 else 0
    return [place for place in places if place < len(data)] or [0]


def files(binary, folder, plain):
    """Name to bytes of undamaged files."""
    with open(os.path.join(folder, "plain"), "wb") as file:
        file.write(plain)
    found = {}

    def ours(name, *words):
        found[name] = succeed([binary, "-qc", *words, "plain"], folder)

    def theirs(name, *words):
        found[name] = succeed(["zstd", "-qc", *words, "plain"], folder)

    ours("frames", "-B16K")
    ours("one frame")
    ours("unchecked frames", "-B32K", "--no-check")
    ours("single frame", "--single-frame", "-1")
    theirs("zstd")
    theirs("zstd unchecked", "--no-check", "--no-content-size")
    theirs("zstd at 19", "-19")
    theirs("zstd fast", "--fast=5")
    theirs("zstd long", "--long=27")
    theirs("window over the limit", "--long=30", "--no-content-size")
    theirs("zstd in small blocks", "-3", "--target-compressed-block-size=1340")
    if run(["pzstd", "-q", "-p", "2", "-k", "plain", "-o", "pz"], folder).code == 0:
        with open(os.path.join(folder, "pz"), "rb") as file:
            found["pzstd"] = file.read()
    with open(os.path.join(folder, "dictionary"), "wb") as file:
        file.write(plain[:4096])
    theirs("dictionary", "-D", "dictionary")
    found["seekable, twice"] = found["frames"] * 2
    found["skippable around"] = skippable(b"before", 3) + found["zstd"] + skippable(b"", 15) + found["one frame"]
    found["raw"] = raw(plain[:70000])
    found["runs"] = frame([block(1, 100000, b"a", False), block(1, 0, b"b", False), block(1, 131072, b"c")])
    found["empty blocks"] = frame([block(0, 0, b"", False)] * 50 + [block(0, 5, b"bytes")])
    found["empty frames"] = frame([block(0, 0)]) * 20 + found["zstd"]
    found["tiny frames"] = b"".join(frame([block(0, 1, bytes([65 + n % 26]))]) for n in range(200))
    found["reserved block"] = frame([block(3, 5, b"bytes")])
    found["large block"] = frame([block(0, 131072, plain[:131072], False), block(1, 131073, b"x")])
    for bits in range(4):
        size = (b"", struct.pack("<H", 1000 - 256), struct.pack("<I", 1000), struct.pack("<Q", 1000))[bits]
        found[f"content size {bits}"] = frame([block(0, 1000, plain[:1000])], descriptor=bits << 6, after=size)
        size = size or bytes([200])
        length = 200 if bits == 0 else 1000
        found[f"single segment {bits}"] = frame(
            [block(0, length, plain[:length])], descriptor=bits << 6 | 0x20, after=size)
        found[f"dictionary 0 in {bits}"] = frame(
            [block(0, 5, b"bytes")], descriptor=bits, after=b"\0" * (0, 1, 2, 4)[bits])
    return found


def damage(data, others, chance):
    """Changes a file in one to three ways; also gives their names."""
    names = []
    for _ in range(chance.choice([0, 1, 1, 1, 2, 3])):
        places = boundaries(data)
        near = min(len(data), chance.choice(places) + chance.choice([0, 0, 0, 1, 2, 3]))
        at = near if chance.random() < 0.6 else chance.randrange(len(data) + 1)
        count = chance.choice([1, 1, 2, 3, 4, chance.randrange(1, 200)])
        other = chance.choice(others)
        start = data.find(b"\x28\xb5\x2f\xfd", near) % (len(data) + 1)
        name, data = chance.choice([
            ("window", data[: start + 5] + bytes([chance.randrange(0x90)]) + data[start + 6 :]),
            ("descriptor", data[: start + 4] + bytes([chance.randrange(256)]) + data[start + 5 :]),
            ("bit", data[:at] + bytes(byte ^ 1 << chance.randrange(8) for byte in data[at : at + 1]) + data[at + 1 :]),
            ("byte", data[:at] + bytes([chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])]) + data[at + 1 :]),
            ("bytes", data[:at] + chance.randbytes(count) + data[at + count :]),
            ("gone", data[:at] + data[at + count :]),
            ("new", data[:at] + chance.randbytes(count) + data[at:]),
            ("twice", data[:at] + data[at : at + count] + data[at:]),
            ("cut", data[:at]),
            ("cut between", data[: chance.choice(places)]),
            ("zeros after", data + bytes(count)),
            ("zeros from", data[:at] + bytes(len(data) - at)),
            ("another after", data + other),
            ("another before", other + data),
            ("another inside", data[: chance.choice(places)] + other + data[at:]),
            ("skippable", data[:near] + skippable(b"x" * count, chance.randrange(16), chance.choice([None, count + 1, 0xFFFFFFFF]))
             + data[near:]),
            ("empty frame", data[:near] + frame([block(0, 0)]) + data[near:]),
            ("garbage", data + chance.randbytes(count)),
            ("swapped", data[at:] + data[:at]),
        ])
        names.append(name)
        if not data:
            break
    return data, names
