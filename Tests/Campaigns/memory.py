"""Input that asks for memory: bombs, zeros, windows and sizes that are only claimed, tiny and empty frames.

Each is read from a file and from a pipe, with one and with several threads; the peak stays under the bound that -v
prints, and the run ends as it should, also where the address space is limited (ulimit -v), and in a cgroup.
"""

import os
import re
import struct
import zlib
from collections import Counter

import frames
from operations import piped
from run import Trouble, run

MEBI = 1 << 20
LIBRARIES = 600 * MEBI
"""Address space for libraries, stacks and what the allocator reserves but does not use."""


class Cgroup:
    """A control group with a limit, version 1 or 2; none where it can't be made."""

    def __init__(self, limit):
        self.path = None
        for root, name in ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"):
            path = os.path.join(root, f"sluice-campaign-{os.getpid()}")
            try:
                os.mkdir(path)
            except OSError:
                continue
            self.path = path
            try:
                with open(os.path.join(path, name), "w") as file:
                    file.write(str(limit))
                return
            except OSError:
                self.close()

    def words(self, words):
        """The words that run a command in it."""
        return ["sh", "-c", f'echo $$ >{self.path}/cgroup.procs && exec "$@"', "-", *words]

    def close(self):
        if self.path:
            os.rmdir(self.path)
            self.path = None


def bomb(size):
    """One frame of runs of 128 KiB, each four bytes: 1 to 32,768."""
    return frames.frame([frames.block(1, 131072, b"\0", False)] * (size >> 17) + [frames.block(0, 0)], window=0x58)


def xz_claims(size, compressed, content):
    """Blocks of xz that claim sizes, and have zeros."""
    def number(value):
        return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + number(value >> 7)
    header = b"\xC0" + number(compressed) + number(content) + b"\x21\x01\x00"
    header += bytes(-(len(header) + 1) % 4)
    header = bytes([(len(header) + 1) // 4]) + header
    header += struct.pack("<I", zlib.crc32(header))
    block = header + bytes((compressed + 3) // 4 * 4 + 4)
    flags = b"\0\1"
    return b"\xFD7zXZ\0" + flags + struct.pack("<I", zlib.crc32(flags)) + block * (min(size, 400 * MEBI) // len(block))


def bgzf_claims(size):
    """Members of gzip that claim the largest size, and have zeros."""
    extra = struct.pack("<BBHH", 66, 67, 2, 0xFFFF)
    member = struct.pack("<BBBBIBBH", 31, 139, 8, 4, 0, 0, 255, len(extra)) + extra
    return member.ljust(65536, b"\0") * (min(size, 400 * MEBI) >> 16)


def table(entries):
    """A seek table that claims many entries of nothing."""
    return frames.skippable(bytes(8 * entries) + struct.pack("<IBI", entries, 0, 0x8F92EAB1), 14)


class Campaign:
    """An input a round."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder = binary, folder
        self.counts = Counter()
        self.has_cgroups = True
        header = frames.frame([], window=0x38)
        tiny = frames.frame([frames.block(0, 1, b"x")])
        empty = frames.frame([frames.block(0, 0)])
        # What it is: whether it is right, its bytes, and how many zeros follow them.
        self.inputs = {
            "a bomb in one frame": (True, lambda size: (bomb(4 * size), 0)),
            "bombs in frames": (True, lambda size: (bomb(32 * MEBI) * (4 * size // (32 * MEBI)), 0)),
            "bombs in larger frames": (True, lambda size: (bomb(100 * MEBI) * (4 * size // (100 * MEBI)), 0)),
            "bombs in small frames": (True, lambda size: (bomb(MEBI) * (4 * size // MEBI), 0)),
            "zeros behind a header": (False, lambda size: (header, size)),
            "zeros behind a large window's header": (False, lambda size: (frames.frame([], window=0x88), size)),
            "zeros behind a size of exabytes": (
                False, lambda size: (frames.frame([], descriptor=0xC0, after=struct.pack("<Q", 1 << 60)), size)),
            "zeros behind frames": (False, lambda size: (tiny * 1000, size)),
            "zeros in a frame behind frames": (False, lambda size: (tiny * 1000 + header, size)),
            "a window of 2 TiB": (False, lambda size: (frames.frame([frames.block(0, 1, b"x")], window=0xF8), 0)),
            "a window of 128 MiB for one byte": (True, lambda size: (frames.frame([frames.block(0, 1, b"x")], window=0x88), 0)),
            "frames with windows of 128 MiB": (
                True, lambda size: (frames.frame([frames.block(0, 1, b"x")], window=0x88) * 1000, 0)),
            "one segment of exabytes": (False, lambda size: (
                frames.frame([frames.block(0, 1, b"x")], descriptor=0xE0, after=struct.pack("<Q", 1 << 62)), 0)),
            "many tiny frames": (True, lambda size: (tiny * (size // 512), 0)),
            "many empty frames": (True, lambda size: (empty * (size // 512), 0)),
            "many small skippable frames": (True, lambda size: (frames.skippable(b"x") * (size // 512) + tiny, 0)),
            "a skippable frame of 4 GiB that is cut": (
                False, lambda size: (tiny + frames.skippable(b"", size=0xFFFFFFFF), size)),
            "a skippable frame that is large": (True, lambda size: (tiny + frames.skippable(b"", size=2 * size), 2 * size)),
            "a large seek table": (True, lambda size: (tiny + table(size // 512), 0)),
            "blocks of xz that claim much of little": (False, lambda size: (xz_claims(size, 16 * MEBI, 1), 0)),
            "blocks of xz that claim what fits": (False, lambda size: (xz_claims(size, MEBI, 2 * MEBI), 0)),
            "members of gzip that claim much": (False, lambda size: (bgzf_claims(size), 0)),
            "a block of 2 MiB": (False, lambda size: (header + frames.block(0, (1 << 21) - 1), size)),
        }
        self.path = os.path.join(folder, "input.zst")

    def round(self, number, chance):
        """Makes an input, and reads it in one way."""
        names = list(self.inputs)
        # Each kind in turn; how it is read is chance.
        name = names[(number - 1) % len(names)]
        is_right, make = self.inputs[name]
        # The first of each kind are quick, and still larger than what is held of them.
        is_first = number <= len(names)
        size = (128 if is_first else chance.choice([64, 128, 256, 1024])) * MEBI
        self.write(*make(size))
        comes_by_pipe, threads = chance.random() < 0.5, chance.choice([1, 2] if is_first else [1, 2, 4])
        words = f"-q -v -T{threads} {chance.choice(['-t', '-dc'])}{'' if comes_by_pipe else ' input.zst'}"
        limit = chance.choice(["ulimit", "cgroup", "", ""])
        ended, command = self.run(words, comes_by_pipe)
        what = name
        self.check(ended, what, command, is_right)
        bound = self.bound(ended, words)
        if ended.peak * 1024 > bound:
            raise Trouble(f"more memory than -v says: {name}", command,
                          f"{ended.peak // 1024} MiB instead of {bound // MEBI}, {size // MEBI} MiB")
        if limit == "ulimit":
            ended, command = self.run(words, comes_by_pipe, address_space=bound + LIBRARIES)
            self.check(ended, f"{what}, ulimit -v", command, is_right)
        elif limit and self.has_cgroups:
            ended, command = self.run(words, comes_by_pipe, cgroup=bound + 4 * MEBI)
            if ended is not None or self.has_cgroups:
                # A window that is larger than what the group has left is refused before its frame shows how little it is.
                is_refused = "window" in what and ended is not None and b" needs a window of " in ended.messages
                self.check(ended, f"{what}, in a cgroup", command, is_right and not is_refused)
        self.counts["right" if is_right else "refused"] += 1

    def write(self, data, zeros):
        """Writes the input, whose zeros take no room."""
        with open(self.path, "wb") as file:
            file.write(data)
            file.truncate(len(data) + zeros)

    def run(self, words, comes_by_pipe, address_space=None, cgroup=None):
        """Reads the input; also gives what a shell can repeat."""
        called = [self.binary, *words.split()]
        limited = f"ulimit -v {address_space // 1024}; " if address_space else ""
        limited += f"(in a cgroup of {cgroup} bytes) " if cgroup else ""
        command = limited + ("cat input.zst | " if comes_by_pipe else "") + " ".join(called) + " >/dev/null"
        group = Cgroup(cgroup) if cgroup else None
        if group and not group.path:
            self.has_cgroups = False
            self.counts["without a cgroup, for there is none here"] += 1
            group = None
        try:
            ended = run(group.words(called) if group else called, self.folder, address_space=address_space,
                        stdin=piped(self.path) if comes_by_pipe else None, reads_output=False)
        finally:
            if group:
                group.close()
        return ended, command

    def check(self, ended, what, command, is_right):
        """It ended, in a way that fits."""
        if ended is None:
            raise Trouble(f"hung: {what}", command)
        if ended.code != (0 if is_right else 1) or ended.is_crash:
            raise Trouble(f"{ended.how}: {what}", command, ended.messages.decode(errors="replace")[-2000:])
        if ended.code and not re.search(rb"^sluice: ", ended.messages, re.M):
            raise Trouble(f"an error without a word: {what}", command)

    def bound(self, ended, words):
        """What -v says, in bytes; of a run that failed, what it says of the smallest frame with the largest window."""
        found = re.search(rb"memory up to ([0-9.]+) ([KMG])iB", ended.messages)
        if not found:
            good = os.path.join(self.folder, "good.zst")
            with open(good, "wb") as file:
                file.write(bomb(33 * MEBI) * 2)
            words = f"-q -v {words.split()[2]} -t good.zst"
            found = re.search(rb"memory up to ([0-9.]+) ([KMG])iB", run([self.binary, *words.split()], self.folder).messages)
        return int(float(found[1]) * (1 << {b"K": 10, b"M": 20, b"G": 30}[found[2]])) + MEBI // 10
