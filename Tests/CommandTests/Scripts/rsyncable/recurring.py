"""recurring.py A B: the share of the bytes of B's frames, in thousandths, that are in frames that A has too."""
import struct
import sys


def frames(path):
    with open(path, "rb") as file:
        data = file.read()
    count, descriptor, magic = struct.unpack("<IBI", data[-9:])
    assert magic == 0x8F92EAB1, f"{path} has no seek table"
    size = 12 if descriptor & 0x80 else 8
    table = data[len(data) - 9 - count * size : -9]
    position = 0
    for entry in range(count):
        compressed, content = struct.unpack_from("<II", table, entry * size)
        if content:
            yield data[position : position + compressed]
        position += compressed


before = set(frames(sys.argv[1]))
after = list(frames(sys.argv[2]))
assert len(after) > 20, "too few frames to tell"
print(1000 * sum(len(frame) for frame in after if frame in before) // sum(map(len, after)))
