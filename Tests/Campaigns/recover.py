"""Damaged files: what `--recover` gives is right in every byte, says what is not there, and no whole frame is lost.

A file is damaged in a few places, in ways of which it is known which frames they hurt. Of each frame that is whole the
content must be in the output, at its place if the file has a seek table, and in order if not; what is between is zeros.
"""

import json
import os
import struct
from collections import Counter

import frames
from run import Trouble, run, succeed

SECTOR = 512


class Original:
    """A whole file, its frames as (start, end, content), and whether a seek table ends it."""

    def __init__(self, data, content, has_table):
        self.data, self.content, self.has_table = data, content, has_table
        self.frames = []
        at = place = 0
        for start, end, size in spans(data):
            if size is not None:
                self.frames.append((start, end, content[place : place + size]))
                place += size
        assert place == len(content)


def spans(data):
    """Start, end and content size of each frame; `None` for the size of skippable ones."""
    at = 0
    while at < len(data):
        start = at
        magic, size = struct.unpack_from("<II", data, at)
        if magic & 0xFFFFFFF0 == frames.SKIPPABLE:
            at += 8 + size
            yield start, at, None
            continue
        assert magic == frames.MAGIC
        descriptor = data[at + 4]
        single = descriptor >> 5 & 1
        length = (single, 2, 4, 8)[descriptor >> 6]
        at += 5 + (1 - single) + (0, 1, 2, 4)[descriptor & 3]
        size = int.from_bytes(data[at : at + length], "little") + (256 if length == 2 else 0)
        at += length
        is_last = False
        while not is_last:
            field = int.from_bytes(data[at : at + 3], "little")
            is_last = field & 1
            at += 3 + (1 if field >> 1 & 3 == 1 else field >> 3)
        at += 4 if descriptor & 4 else 0
        yield start, at, size


def damage(data, chance, most):
    """The damaged bytes, what was done, and the ranges of the original that are hurt; a cut at a place hurts both sides."""
    edits = []
    for _ in range(chance.randrange(1, most + 1)):
        kind = chance.choice(["flip", "flip", "zeros", "noise", "insert", "remove", "cut"] if not edits else
                             ["flip", "zeros", "noise", "insert", "remove"])
        at = chance.randrange(len(data))
        if kind in ("zeros", "noise", "remove"):
            at = at // SECTOR * SECTOR
        length = {"flip": 1, "insert": 0, "cut": len(data) - at}.get(kind, SECTOR * chance.choice([1, 1, 1, 8]))
        edits.append((at, min(length, len(data) - at), kind))
    edits.sort()
    parts, hurt, done = [], [], 0
    for at, length, kind in edits:
        if at < done:
            continue
        parts.append(data[done:at])
        old = data[at : at + length]
        new = {"flip": lambda: bytes(byte ^ 1 << chance.randrange(8) for byte in old),
               "zeros": lambda: bytes(length), "noise": lambda: chance.randbytes(length),
               "insert": lambda: chance.randbytes(SECTOR * chance.choice([1, 8])),
               "remove": lambda: b"", "cut": lambda: b""}[kind]()
        parts.append(new)
        if new != old:
            hurt.append((at, at + length))
        done = at + length
    parts.append(data[done:])
    return b"".join(parts), [f"{kind} {length} at {at}" for at, length, kind in edits], hurt


def is_whole(start, end, hurt):
    """Whether none of the ranges touches the frame; an empty one in the middle does."""
    return all(end <= first or last <= start for first, last in hurt if first < last) and not any(
        start < first < end for first, last in hurt if first == last)


class Campaign:
    """A damaged file a round."""

    def __init__(self, binary, folder, seed, size=64 << 20):
        self.binary, self.folder, self.counts = binary, folder, Counter()
        size = int(os.environ.get("SLUICE_CAMPAIGN_SIZE", size))
        with open(os.path.join(folder, "plain"), "wb") as file:
            file.write(self.plain(size))
        with open(os.path.join(folder, "plain"), "rb") as file:
            plain = file.read()

        def made(*words):
            return succeed(words, folder)

        ours = made(binary, "-qc", "-1", f"-B{max(65536, size // 64)}", "plain")
        small = made(binary, "-qc", "-1", "-B32K", "plain")
        parts = [plain[at : at + size // 40] for at in range(0, len(plain), size // 40)]
        theirs = b""
        for part in parts:
            with open(os.path.join(folder, "part"), "wb") as file:
                file.write(part)
            theirs += made("zstd", "-qc", "-1", "part")
        self.originals = {
            "frames": Original(ours, plain, True), "small frames": Original(small, plain, True),
            "without a table": Original(theirs, plain, False),
        }
        self.place = os.path.join(folder, "place")
        os.mkdir(self.place)

    @staticmethod
    def plain(size):
        """Text that compresses to about a third, different everywhere, with noise that does not compress between."""
        parts, total, number = [], 0, 1
        state = 12345
        while total < size:
            lines = []
            for _ in range(2000):
                state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
                lines.append(b"%d %x status=%d\n" % (number, state >> 40, state % 7))
                number += 1
            block = b"".join(lines)
            if number % 5 == 1:
                block += state.to_bytes(8, "little") + bytes((state >> (n % 48)) * (n + number) & 255 for n in range(20000))
            parts.append(block)
            total += len(block)
        return b"".join(parts)[:size]

    def round(self, number, chance):
        kind = chance.choice(sorted(self.originals))
        original = self.originals[kind]
        data, names, hurt = damage(original.data, chance, chance.choice([1, 1, 2, 5]))
        with open(os.path.join(self.place, "bad.zst"), "wb") as file:
            file.write(data)
        what = f"{kind}: {', '.join(names)}"
        self.counts[kind] += 1
        for how in ("zeros", "drop"):
            words = ["-q", "-d", f"--recover={how}", "--json", "-f", "bad.zst", "-o", "out"]
            ended = run([self.binary, *words], self.place)
            command = " ".join([self.binary, *words])

            def trouble(why):
                raise Trouble(f"{why} ({how})", command, f"{what}\n{ended and ended.messages.decode(errors='replace')}")

            if ended is None:
                trouble("it hangs")
            if ended.is_crash or ended.code not in (0, 1):
                trouble(f"{ended.how}")
            whole = [frame for frame in original.frames if is_whole(frame[0], frame[1], hurt)]
            if not os.path.exists(os.path.join(self.place, "out")):
                trouble("no output")
            with open(os.path.join(self.place, "out"), "rb") as file:
                output = file.read()
            os.remove(os.path.join(self.place, "out"))
            report = json.loads(ended.output)["files"][0]
            self.judge(original, whole, hurt, output, report, how, ended.code, trouble)

    def judge(self, original, whole, hurt, output, report, how, code, trouble):
        """Looks at each byte of the output: it is of a whole frame, a zero of the report, or of a frame that was cut."""
        isComplete = report["lostBytes"] == 0 and report["exact"]
        if (code == 0) == ("damage" in report) or code == 0 and not isComplete:
            trouble("the exit code is not what the report says")
        if isComplete and output != original.content:
            trouble("it says that nothing is lost, and the content is another")
        if sum(len(content) for _, _, content in whole) > report["recoveredBytes"]:
            trouble("a whole frame is lost")
        # Where zeros were put into the output.
        zeros, shift = [], 0
        for part in report["ranges"]:
            start = part["contentOffset"] - shift
            zeros.append((start, start + part["zeroBytes"]))
            shift += part["contentBytes"] - part["zeroBytes"]
        kept, at = [], 0
        for start, end in zeros:
            if any(output[start:end]):
                trouble("what should be zeros is none")
            kept.append(output[at:start])
            at = end
        kept.append(output[at:])
        if sum(map(len, kept)) != report["recoveredBytes"]:
            trouble("the output has another size than the report says")
        at = 0
        for part in kept:
            # All of it is a stretch of the content.
            while part:
                place = original.content.find(part[:64], at)
                if place < 0:
                    trouble("the output has bytes that the content does not have")
                count = same(part, original.content[place : place + len(part)])
                if count < min(64, len(part)):
                    trouble("the output has bytes that the content does not have")
                # Where frames are left out, a stretch ends with a frame.
                part, at = part[count:], place + count
        at = 0
        for _, _, content in whole:
            at = output.find(content, at)
            if at < 0:
                trouble("a whole frame is lost")
            at += len(content)
        isTableHurt = any(last > original.frames[-1][1] for _, last in hurt)
        # Where no header begins the file, bytes that were inserted there may be content that no table lists.
        isStartHurt = any(first < 18 for first, _ in hurt)
        if how == "zeros" and original.has_table and not isTableHurt:
            if len(output) != len(original.content) or not (report["exact"] or isStartHurt):
                trouble("with a seek table content is not at its place")
            at = 0
            for start, end, content in original.frames:
                if (start, end, content) in whole and output[at : at + len(content)] != content:
                    trouble("with a seek table content is not at its place")
                at += len(content)


def same(first, second):
    """How many bytes they begin with in common."""
    if first == second[: len(first)]:
        return len(first)
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[:middle] == second[:middle] else (low, middle - 1)
    return low
