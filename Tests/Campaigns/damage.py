"""One to three streams with one damage, of any kind: `--recover` has the exit code of `-t`, and never another content
without a word.

Frames of 64 bytes to 8 MiB, with and without checksums and seek tables. Another binary in SLUICE_BEFORE is given the same
files: none less is in its place than that one puts there, except where `-t` accepts the file; each other case is named.
What no program could notice is counted by itself: zstd takes the damaged file, too, and there are no checksums, or no
table that a header announces, that say otherwise.
"""

import itertools
import os
from collections import Counter

from recover import Original
from run import Trouble, run, succeed

SIZES = [64, 100, 1000, 4096, 65536, 1 << 20, 8 << 20]
KINDS = ["bit", "removed", "inserted", "zeroed", "swapped", "copied", "cut", "dropped", "padded"]


def text(chance, size):
    """Runs of lines, of zeros and of noise: some frames are alike, and some like no other."""
    parts, total = [], 0
    while total < size:
        length = chance.choice([50, 500, 5000, 50000])
        kind = chance.randrange(4)
        if kind == 0:
            part = bytes(length)
        elif kind == 1:
            part = chance.randbytes(length)
        else:
            part = b"".join(b"%d %x\n" % (n, chance.getrandbits(16)) for n in range(length // 8))
        parts.append(part)
        total += len(part)
    return b"".join(parts)[:size]


def damage(original, kind, chance):
    data = original.data
    if kind in ("swapped", "copied"):
        spans = [data[start:end] for start, end, _ in original.frames]
        first, second = chance.randrange(len(spans)), chance.randrange(len(spans))
        starts = [start for start, _, _ in original.frames]
        if kind == "copied":
            at = starts[second]
            return data[:at] + spans[first] + data[at:]
        first, second = min(first, second), max(first, second)
        if first == second:
            return data
        between = data[starts[first] + len(spans[first]) : starts[second]]
        rest = data[starts[second] + len(spans[second]) :]
        return data[: starts[first]] + spans[second] + between + spans[first] + rest
    if kind == "dropped":
        first = chance.randrange(len(original.frames))
        last = chance.choice([first, first, chance.randrange(first, len(original.frames))])
        return data[: original.frames[first][0]] + data[original.frames[last][1] :]
    if kind == "padded":
        return data + bytes(chance.randrange(1, 10241))
    at = chance.randrange(len(data))
    if kind == "cut" and chance.randrange(2):
        at = chance.choice(original.frames)[1]
    length = min(len(data) - at, chance.choice([1, 3, 24, 64, 512, 4096]))
    return {
        "bit": lambda: data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :],
        "removed": lambda: data[:at] + data[at + length :],
        "inserted": lambda: data[:at] + chance.randbytes(length) + data[at:],
        "zeroed": lambda: data[:at] + bytes(length) + data[at + length :],
        "cut": lambda: data[: max(1, at)],
    }[kind]()


class Campaign:
    """A damaged file a round."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder, self.counts = binary, folder, Counter()
        self.before, self.seed, self.examples = os.environ.get("SLUICE_BEFORE"), seed, []

    def stream(self, chance, size, table):
        """A compressed stream, with a seek table or without, and its content."""
        plain = text(chance, chance.randrange(size, max(3 * size, 40 * min(size, 65536)) + 1))
        with open(os.path.join(self.folder, "plain"), "wb") as file:
            file.write(plain)
        if table:
            aligned = ["--align=64K"] if size < 65536 and not chance.randrange(4) else []
            return succeed([self.binary, "-qc", "-1", f"-B{size}", self.check, *aligned, "plain"], self.folder), plain
        data = b""
        for at in range(0, len(plain), size):
            with open(os.path.join(self.folder, "part"), "wb") as file:
                file.write(plain[at : at + size])
            data += succeed(["zstd", "-qc", "-1", self.check, "part"], self.folder)
        return data, plain

    def made(self, chance):
        """A file of one to three streams."""
        self.check, size, streams = chance.choice(["-C", "--no-check"]), chance.choice(SIZES), []
        count = chance.choice([1, 1, 2, 3]) if size < 1 << 20 else 1
        for _ in range(count):
            table = chance.randrange(3) > 0
            # Streams that begin with the same frames, as versions of an image do.
            again = streams and not chance.randrange(3)
            streams.append(streams[-1] if again else (*self.stream(chance, size, table), table))
        original = Original(b"".join(data for data, _, _ in streams), b"".join(plain for _, plain, _ in streams), True)
        # A single frame needs no table.
        original.has_table = all(table and b"SLUICE" in data for data, _, table in streams)
        original.count = count
        original.starts = list(itertools.accumulate((len(data) for data, _, _ in streams[:-1]), initial=0))
        return original

    def recover(self, binary):
        """The exit code, and what was recovered."""
        words = [binary, "-q", "-d", "--recover", "-c", "bad.zst"]
        ended = run(words, self.folder)
        if ended is None or ended.is_crash or ended.code not in (0, 1):
            raise Trouble("it hangs, or ends in another way", " ".join(words), ended and ended.how)
        return ended

    @staticmethod
    def right(original, output):
        """How many bytes of whole frames are in their places or, without tables, in order."""
        count = place = at = 0
        for _, _, content in original.frames:
            if original.has_table:
                count += len(content) if output[place : place + len(content)] == content else 0
                place += len(content)
            elif (found := output.find(content, at)) >= 0:
                count, at = count + len(content), found + len(content)
        return count

    def round(self, number, chance):
        original = self.made(chance)
        kind = chance.choice(KINDS)
        data = damage(original, kind, chance)
        if data == original.data:
            return
        with open(os.path.join(self.folder, "bad.zst"), "wb") as file:
            file.write(data)
        ended = self.recover(self.binary)
        whole = run([self.binary, "-qdc", "bad.zst"], self.folder)
        tested = run([self.binary, "-qt", "bad.zst"], self.folder)
        has_checksums = self.check == "-C"
        group = (f"{kind}, {'checksums' if has_checksums else 'no checksums'}, "
                 f"{'tables' if original.has_table else 'no table'}, {original.count} streams")
        command = f"{self.binary} -d --recover -c bad.zst"
        if whole is None or tested is None or len({ended.code, whole.code, tested.code}) > 1:
            raise Trouble(f"-t, -d and --recover have other exit codes: {kind}", command, group)
        if ended.code == 0 and (ended.output != whole.output or ended.messages):
            raise Trouble(f"what -d gives in silence, --recover does not: {kind}", command, group)
        self.counts[group] += 1
        # A cut between streams leaves a shorter file, and a frame between them is a stream of its own. Without a header,
        # no frame is missed.
        is_between = kind == "copied" and any(
            data.startswith(original.data[:start]) and data.endswith(original.data[start:]) for start in original.starts)
        is_sure = (original.has_table and has_checksums and not is_between and (kind != "cut" or original.count == 1)
                   and data.count(b"SLUICE") >= original.data.count(b"SLUICE"))
        if ended.code == 0 and ended.output != original.content:
            taken = run(["zstd", "-qdc", "bad.zst"], self.folder)
            if is_sure or taken is None or (taken.code != 0 and kind != "padded"):
                raise Trouble(f"another content without a word: {kind}", command, group)
            self.counts[f"no program could notice: {group}"] += 1
        if ended.code == 1 and ended.output == original.content:
            self.counts["damage is told, and nothing is lost"] += 1
        self.counts["bytes of all contents"] += len(original.content)
        right = self.right(original, ended.output)
        self.counts["bytes in their places"] += right
        if self.before:
            self.compare(original, right, ended.code, f"{group}: round {number} of seed {self.seed}", command)

    def compare(self, original, right, code, what, command):
        """Compares with the other binary: it must not put more bytes in their places."""
        other = self.recover(self.before)
        before = self.right(original, other.output)
        self.counts["bytes in their places before"] += before
        if other.code == 0 and other.output != original.content:
            self.counts["another content without a word, before"] += 1
        if right >= before:
            return
        self.examples.append(f"{before - right} bytes fewer in their places than before: {what}, exit code {code}")
        if code == 1:
            raise Trouble("fewer bytes in their places than before", command, what)
