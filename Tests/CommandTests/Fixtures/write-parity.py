"""Adds parity to frames, as docs/format.md describes it: write-parity.py FRAMES OUTPUT"""
import ctypes, struct, sys

frames = open(sys.argv[1], "rb").read()
BLOCK, GROUPS, K, ROWS = 256, 4, 243, 3
library = ctypes.CDLL("libxxhash.so.0")
library.XXH64.restype, library.XXH64.argtypes = ctypes.c_uint64, [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]


def xxh64(data):
    return struct.pack("<Q", library.XXH64(bytes(data), len(data), 0))


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return struct.pack("<I", value ^ 0xFFFFFFFF)


tag = [b"SLUICE" + bytes([1, kind]) for kind in range(4)]


def product(a, b):
    result = 0
    while b:
        result ^= a if b & 1 else 0
        a, b = a << 1 ^ (0x11D if a & 0x80 else 0), b >> 1
    return result


blocks = [frames[i:i + BLOCK] for i in range(0, len(frames), BLOCK)]
inverse = {a: b for a in range(1, 256) for b in range(1, 256) if product(a, b) == 1}
rows = [[bytearray(BLOCK) for _ in range(GROUPS)] for _ in range(ROWS)]
for row in range(ROWS):
    for i, block in enumerate(blocks):
        times = [product(byte, inverse[K + row ^ i // GROUPS]) for byte in range(256)]
        for place, byte in enumerate(block):
            rows[row][i % GROUPS][place] ^= times[byte]
records = b""
for group in range(GROUPS):
    own = blocks[group::GROUPS] + [row[group] for row in rows]
    record = tag[3] + struct.pack("<II", 0, group) + b"".join(crc32c(block) + xxh64(block) for block in own)
    records += record + xxh64(record)
parity = b"".join(rows[t // GROUPS][(len(blocks) + t) % GROUPS] for t in range(ROWS * GROUPS))
body = tag[1] + records + parity + records
frame = struct.pack("<II", 0x184D2A56, len(body)) + body


def description(position):
    size, one = len(frames), struct.pack("<II", 0x184D2A56, 68) + tag[2]
    one += struct.pack("<QQ", position, 0) + xxh64(b"") + struct.pack("<HHI", 5, 1, 1)
    one += struct.pack("<QIBBBBI", size, BLOCK, GROUPS, K, ROWS, 1, 76)
    return one + xxh64(one)


first = description(len(frames))
open(sys.argv[2], "wb").write(frames + first + frame + description(len(frames) + len(first + frame)))
