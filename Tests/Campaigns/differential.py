"""Damaged files, beside zstd: what both accept has the same bytes, and every path of ours has the same verdict.

Where one accepts what the other refuses is listed at the end, each kind with a file that is kept. Those that are meant are
in MEANT.
"""

import os
import re
import shlex
import shutil
import tempfile
from collections import Counter

import frames
from operations import piped
from run import Trouble, run

MEANT = [
    # what ours says where zstd accepts, and why
    (r"the file was cut|cut|seek table|stream header", "a stream that announces a seek table ends with it, and agrees with it"),
]


class Campaign:
    """A file a round."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder = binary, folder
        self.counts, self.differences = Counter(), {}
        self.plain = b"".join(b"%d %x\n" % (number % 977, number * number * 7919 % 100003) for number in range(17000))
        self.files = frames.files(binary, folder, self.plain)
        self.place = os.path.join(folder, "place")
        os.mkdir(self.place)
        with open(os.path.join(self.place, "good.zst"), "wb") as file:
            file.write(self.files["one frame"])

    @property
    def examples(self):
        """The differences that nobody means: how often, and a file that shows each."""
        return [f"{count} x {what}: {file}" for what, (count, file) in sorted(self.differences.items())]

    def round(self, number, chance):
        """Damages a file, and gives it to everybody."""
        kind = chance.choice(sorted(self.files))
        others = [data for data in self.files.values() if len(data) < 100_000]
        data, names = frames.damage(self.files[kind], others, chance)
        what = f"{kind}, {' and '.join(names) or 'whole'}"
        bad = os.path.join(self.place, "bad.zst")
        with open(bad, "wb") as file:
            file.write(data)
        theirs = run(["zstd", "-dcq", "bad.zst"], self.place)
        if theirs is None or theirs.code not in (0, 1):
            self.counts["without zstd, which crashed or hung"] += 1
            return
        first = None
        for words, comes_by_pipe in [("-q -T1 -dc bad.zst", False), ("-q -T3 -dc bad.zst", False),
                                     ("-q -T2 -dc", True), ("-q -T2 -t bad.zst", False), ("-q -T1 -t", True)]:
            ended = self.try_(words, bad if comes_by_pipe else None, what)
            if " -t" not in words:
                self.compare(ended, theirs, words, what)
            first = first or ended
            if ended.code != first.code:
                raise Trouble(f"{words}: {ended.how}, but {first.how} on another path: {said(ended) or said(first)}",
                              self.command(words, comes_by_pipe), what)
        self.try_batch(first, theirs, what)
        ours, zstd = first.code == 0, theirs.code == 0
        if ours and zstd:
            self.counts["accepted"] += 1
        elif not ours and not zstd:
            self.counts["refused"] += 1
        else:
            self.note(number, ours, said(first), said(theirs))

    def command(self, words, comes_by_pipe=False):
        return ("cat bad.zst | " if comes_by_pipe else "") + shlex.join([self.binary, *words.split()])

    def try_(self, words, piped_from, what):
        """Runs it, and looks at what no input may do to it."""
        ended = run([self.binary, *words.split()], self.place, stdin=piped(piped_from) if piped_from else None)
        command = self.command(words, piped_from)
        if ended is None:
            raise Trouble(f"hung: {words}", command, what)
        if ended.is_crash or ended.code not in (0, 1):
            raise Trouble(f"{ended.how}: {words}", command, f"{what}\n{ended.messages.decode(errors='replace')}")
        if ended.code and not ended.messages:
            raise Trouble(f"an error without a word: {words}", command, what)
        return ended

    def compare(self, ended, theirs, words, what):
        """What both write is the same, as far as both write it; all of it if both are content."""
        shorter = min(len(ended.output), len(theirs.output))
        is_whole = ended.code == theirs.code == 0
        if ended.output[:shorter] != theirs.output[:shorter] or (is_whole and ended.output != theirs.output):
            raise Trouble(f"other bytes than zstd's: {words}", self.command(words), what)

    def try_batch(self, first, theirs, what):
        """The path of small files, of which a good one is next to the bad one."""
        for words in "-q -d -f bad.zst good.zst", "-q -t bad.zst good.zst":
            for name in "bad", "good":
                if os.path.exists(os.path.join(self.place, name)):
                    os.remove(os.path.join(self.place, name))
            ended = self.try_(words, None, what)
            if ended.code != first.code:
                raise Trouble(f"{words}: {ended.how}, but {first.how} on the other paths: {said(ended) or said(first)}",
                              self.command(words), what)
            if " -t" in words:
                continue
            made = {name for name in ("bad", "good") if os.path.exists(os.path.join(self.place, name))}
            if made != ({"bad", "good"} if ended.code == 0 else {"good"}):
                raise Trouble(f"{ended.how} and made {sorted(made)}: {words}", self.command(words), what)
            if ended.code == theirs.code == 0:
                with open(os.path.join(self.place, "bad"), "rb") as file:
                    if file.read() != theirs.output:
                        raise Trouble(f"other bytes than zstd's: {words}", self.command(words), what)

    def note(self, number, ours, our_word, their_word):
        """Counts a difference."""
        if not ours and any(re.search(pattern, our_word) for pattern, _ in MEANT):
            self.counts["refused by us alone, as is meant"] += 1
            return
        who = f"zstd refuses ({their_word})" if ours else f"sluice refuses ({our_word})"
        self.counts["accepted by one alone"] += 1
        if who not in self.differences:
            kept, name = tempfile.mkstemp(prefix="sluice-campaign-", suffix=".zst")
            os.close(kept)
            shutil.copy(os.path.join(self.place, "bad.zst"), name)
            self.differences[who] = (0, f"round {number}, {name}")
        count, file = self.differences[who]
        self.differences[who] = (count + 1, file)


def said(ended):
    """The first sentence of a message, without names and numbers."""
    lines = ended.messages.decode(errors="replace").splitlines() or [""]
    return re.sub(r"\d[\d,]*", "N", re.sub(r"^[\w: ./*-]*?(bad\.zst|/\*stdin\*\\?)\s*: ", "", lines[0]))
