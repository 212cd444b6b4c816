#!/usr/bin/python3
"""Reads any range and any member of a file that sluice has compressed, from a disk or a server.

It follows docs/format.md ("Seek table", "Index of members"), and needs the zstandard module (python3-zstandard). A file
without a seek table has one frame, or was not made by sluice: then `frames` raises ValueError.

    sluice_reader.py FILE range OFFSET LENGTH
    sluice_reader.py FILE members
    sluice_reader.py FILE member NAME
"""
import bisect
import struct
import sys
import urllib.request
from dataclasses import dataclass

import zstandard


class Source:
    """The bytes of a file, or of a URL whose server answers ranges."""

    def __init__(self, name: str) -> None:
        self.name, self.file = name, None if "://" in name else open(name, "rb")
        if self.file:
            self.size = self.file.seek(0, 2)
        else:
            with urllib.request.urlopen(urllib.request.Request(name, method="HEAD")) as answer:
                self.size = int(answer.headers["Content-Length"])

    def read(self, offset: int, length: int) -> bytes:
        if not 0 <= offset <= offset + length <= self.size:
            raise ValueError("a size that points out of the file")
        if self.file:
            self.file.seek(offset)
            return self.file.read(length)
        if not length:
            return b""
        request = urllib.request.Request(self.name, headers={"Range": f"bytes={offset}-{offset + length - 1}"})
        with urllib.request.urlopen(request) as answer:
            if answer.status != 206:
                raise ValueError("the server does not answer ranges")
            return answer.read()


@dataclass
class Frame:
    offset: int
    compressed: int
    content: int
    size: int


@dataclass
class Member:
    name: bytes
    kind: str
    size: int
    """Where the content of a regular file lies in the content of the archive."""
    data: range
    modified: int
    is_sparse: bool = False
    target: bytes = b""


class Reader:
    def __init__(self, name: str) -> None:
        self.source = Source(name)
        self.decoder = zstandard.ZstdDecompressor(max_window_size=1 << 31)
        self.frames = self._frames()
        self.starts = [frame.content for frame in self.frames]
        self.size = self.frames[-1].content + self.frames[-1].size if self.frames else 0

    def _frames(self) -> list[Frame]:
        count, descriptor, magic = struct.unpack("<IBI", self.source.read(self.source.size - 9, 9))
        if magic != 0x8F92EAB1 or descriptor & 0x7C:
            raise ValueError("no seek table")
        width = 12 if descriptor & 0x80 else 8
        table = self.source.read(self.source.size - 9 - width * count, width * count)
        frames, offset, content = [], 0, 0
        for entry in range(count):
            compressed, size = struct.unpack_from("<II", table, entry * width)
            frames.append(Frame(offset, compressed, content, size))
            offset, content = offset + compressed, content + size
        if offset + 8 + len(table) + 9 != self.source.size:
            raise ValueError("the seek table contradicts the size of the file")
        return frames

    def read(self, offset: int, length: int) -> bytes:
        """Bytes of the content; fewer only at its end. Only the frames that hold them are read, and verified."""
        pieces = []
        place, end = max(0, bisect.bisect_right(self.starts, offset) - 1), min(offset + length, self.size)
        while place < len(self.frames) and (frame := self.frames[place]).content < end:
            if frame.size:
                data = self.decoder.decompress(self.source.read(frame.offset, frame.compressed), frame.size)
                if len(data) != frame.size:
                    raise ValueError("a frame has another size than the seek table says")
                pieces.append(data[max(0, offset - frame.content):end - frame.content])
            place += 1
        return b"".join(pieces)

    def members(self) -> list[Member]:
        """The members of a tar that was compressed with --members, in the order of the archive."""
        frame = self.frames[-1] if self.frames else None
        index = self.source.read(frame.offset, frame.compressed) if frame else b""
        if index[:4] != struct.pack("<I", 0x184D2A55) or index[8:15] != b"SLUICE\2":
            raise ValueError("no index of members")
        if index[15] & 2:
            print("the list is partial: the archive could not be followed", file=sys.stderr)
        blocks, filters = struct.unpack_from("<II", index, 24)
        heads = [struct.unpack_from("<IQIIIII", index, 32 + 32 * number) for number in range(blocks)]
        checkpoints = self.size // (256 << 10) if index[15] & 1 else 0
        place = 32 + 32 * blocks + filters + 4 * checkpoints + 4
        found: list[Member] = []
        end = 0
        for count, block_end, names_size, names, fields_size, fields, _ in heads:
            name_bytes = self.decoder.decompress(index[place:place + names], names_size)
            field_bytes = self.decoder.decompress(index[place + names:place + names + fields], fields_size)
            found += _members(count, end, Cursor(name_bytes), Cursor(field_bytes))
            place, end = place + names + fields, block_end
        return found

    def member(self, name: bytes) -> bytes:
        """The content of a regular file of the archive; of several with the name, the last one's."""
        wanted = [member for member in self.members() if _plain(member.name) == _plain(name) and member.kind == "0"]
        if not wanted:
            raise KeyError(name)
        if wanted[-1].is_sparse:
            raise ValueError("a sparse file: what is stored is its data without the holes, with a map")
        return self.read(wanted[-1].data.start, len(wanted[-1].data))


class Cursor:
    """Numbers and texts, one after another."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def take(self, count: int) -> bytes:
        self.place += count
        if self.place > len(self.data):
            raise ValueError("the index ends within a member")
        return self.data[self.place - count:self.place]

    def number(self) -> int:
        value, shift = 0, 0
        while (byte := self.take(1)[0]) & 0x80:
            value, shift = value | (byte & 0x7F) << shift, shift + 7
        return value | byte << shift

    def signed(self) -> int:
        return (value := self.number()) >> 1 ^ -(value & 1)

    def text(self) -> bytes:
        return self.take(self.number())


def _members(count: int, end: int, names: Cursor, fields: Cursor):
    name, modified = b"", 0
    for _ in range(count):
        name = name[:names.number()] + names.text()
        kind, flags = chr(fields.take(1)[0]), fields.take(1)[0]
        fields.number()  # the mode
        if flags & 2:
            fields.signed(), fields.signed(), fields.text(), fields.text()
        modified += fields.signed()
        if flags & 4:
            fields.number()
        size = fields.number()
        stored = fields.number() if flags & 8 else size
        start = end + 512 * fields.number()
        data = start + 512 * fields.number()
        target = fields.text() if kind in "12" else b""
        if kind in "34":
            fields.number(), fields.number()
        end = data + -(-stored // 512) * 512
        yield Member(name, kind, size, range(data, data + stored), modified, bool(flags & 1), target)


def _plain(name: bytes) -> bytes:
    while name.startswith(b"./"):
        name = name[2:]
    return name.rstrip(b"/")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [name, "range", offset, length]:
            sys.stdout.buffer.write(Reader(name).read(int(offset), int(length)))
        case [name, "members"]:
            for one in Reader(name).members():
                sys.stdout.buffer.write(b"%d %s\n" % (one.size, one.name))
        case [name, "member", member]:
            sys.stdout.buffer.write(Reader(name).member(member.encode(errors="surrogateescape")))
        case _:
            sys.exit(__doc__)
