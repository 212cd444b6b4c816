"""A file with one damage, of any kind: what `--recover` gives is never another content without a word.

Frames of 64 bytes to 8 MiB, with and without checksums and a seek table. Another binary in SLUICE_BEFORE is given the
same files: of one with checksums and a table, none less is recovered than by that one. What no program could notice is
counted by itself: zstd takes the damaged file, too, and there are no checksums, or no table, that say otherwise.
"""

import os
from collections import Counter

from recover import Original
from run import Trouble, run, succeed

SIZES = [64, 100, 1000, 4096, 65536, 1 << 20, 8 << 20]
KINDS = ["bit", "removed", "inserted", "zeroed", "swapped", "copied", "cut"]


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
        self.before = os.environ.get("SLUICE_BEFORE")

    def made(self, chance):
        """A file, and whether its frames have checksums."""
        size = chance.choice(SIZES)
        plain = text(chance, chance.randrange(size, max(3 * size, 40 * min(size, 65536)) + 1))
        with open(os.path.join(self.folder, "plain"), "wb") as file:
            file.write(plain)
        check, table = chance.choice(["-C", "--no-check"]), chance.randrange(3) > 0
        if table:
            data = succeed([self.binary, "-qc", "-1", f"-B{size}", check, "plain"], self.folder)
        else:
            data = b""
            for at in range(0, len(plain), size):
                with open(os.path.join(self.folder, "part"), "wb") as file:
                    file.write(plain[at : at + size])
                data += succeed(["zstd", "-qc", "-1", check, "part"], self.folder)
        original = Original(data, plain, table)
        # A single frame needs no table.
        original.has_table = table and len(original.frames) > 1
        return original, check == "-C"

    def recover(self, binary):
        """The exit code, and the bytes that were recovered."""
        words = [binary, "-q", "-d", "--recover=drop", "-c", "bad.zst"]
        ended = run(words, self.folder)
        if ended is None or ended.is_crash or ended.code not in (0, 1):
            raise Trouble("it hangs, or ends in another way", " ".join(words), ended and ended.how)
        return ended

    def round(self, number, chance):
        original, has_checksums = self.made(chance)
        kind = chance.choice(KINDS)
        data = damage(original, kind, chance)
        if data == original.data:
            return
        with open(os.path.join(self.folder, "bad.zst"), "wb") as file:
            file.write(data)
        ended = self.recover(self.binary)
        # The header that announces a table follows the first frame.
        isSure = original.has_table and has_checksums and len(data) > original.frames[0][1]
        group = f"{kind}, {'checksums' if has_checksums else 'no checksums'}, {'table' if original.has_table else 'no table'}"
        self.counts[group] += 1
        if ended.code == 0 and ended.output != original.content:
            taken = run(["zstd", "-qdc", "bad.zst"], self.folder)
            if isSure or taken is None or taken.code != 0:
                raise Trouble(f"another content without a word: {kind}", f"{self.binary} -d --recover -c bad.zst", group)
            self.counts[f"no program could notice: {group}"] += 1
        if ended.code == 1 and ended.output == original.content:
            self.counts["told of a loss, and nothing is lost"] += 1
        self.counts["bytes of all contents"] += len(original.content)
        self.counts["bytes recovered"] += len(ended.output)
        if self.before:
            other = self.recover(self.before)
            self.counts["bytes recovered before"] += len(other.output)
            if other.code == 0 and other.output != original.content:
                self.counts["another content without a word, before"] += 1
            if len(other.output) > len(ended.output):
                self.counts[f"fewer bytes than before: {group}"] += 1
                if isSure:
                    raise Trouble(f"fewer bytes than before: {kind}", f"{self.binary} -d --recover=drop -c bad.zst", group)
