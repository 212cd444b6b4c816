"""Interruptions at any moment of runs with --resume, until one comes to its end: the bytes are those of a quiet run.

Between two runs the power may go: what was written last is cut, or becomes zeros, as what was not on the disk then.
"""

import os
import shutil
import signal
import time
from collections import Counter

from run import Trouble, Run, run, succeed

SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


class Campaign:
    """A run that is interrupted a round: a later round goes on with it."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder = binary, folder
        self.counts = Counter()
        content = os.path.join(folder, "content")
        with open(content, "wb") as file:
            file.write(b" ".join(b"%x" % (number * number * 7919 % 1000003) for number in range(2_000_000)))
        compressed, gzip = os.path.join(folder, "compressed"), os.path.join(folder, "gzip")
        succeed([binary, "-q", "-9", "-B256K", content, "-o", compressed], folder)
        succeed(["sh", "-c", f"gzip -1 < {content} > {gzip}"], folder)
        ways = [(["-9", "-B256K"], content, compressed), (["-d"], compressed, content), (["-d"], gzip, content)]
        self.ways = [(*way, os.path.join(folder, f"place{number}")) for number, way in enumerate(ways)]
        for _, _, _, place in self.ways:
            os.mkdir(place)

    def round(self, number, chance):
        """Goes on with one of the outputs, and interrupts that."""
        words, source, wanted, place = chance.choice(self.ways)
        target, part = os.path.join(place, "out"), os.path.join(place, ".out.part")
        words = [self.binary, "-q", "--resume", *words, source, "-o", target]
        running = Run(words, place)
        time.sleep(chance.choice([chance.uniform(0, 0.02), chance.uniform(0, 0.3)]))
        sent = chance.choice(SIGNALS)
        running.kill(sent)
        self.judge(running.end(), sent, words, target, wanted)
        if chance.random() < 0.3 and os.path.exists(part):
            lose(part, chance)
            self.counts["with power lost"] += 1
        if chance.random() < 0.1 and not os.path.exists(target):
            ended = run(words, place)
            self.judge(ended, None, words, target, wanted)
            if ended.code != 0:
                raise Trouble("it does not go on", " ".join(words), ended.messages)
        if os.path.exists(target):
            if os.path.exists(part):
                raise Trouble("an unfinished output beside the whole one", " ".join(words))
            shutil.rmtree(place)
            os.mkdir(place)

    def judge(self, ended, sent, words, target, wanted):
        """Looks at what is there under the name of the output, which is all or nothing."""
        command = " ".join(words)
        if ended is None:
            raise Trouble("hung", command)
        if ended.is_crash or ended.code not in (0, -sent if sent else 0):
            raise Trouble(f"ended with {ended.how}", command, ended.messages)
        self.counts[ended.how] += 1
        if ended.code == 0 and not os.path.exists(target):
            raise Trouble("nothing is there", command)
        if os.path.exists(target) and not is_same(target, wanted):
            raise Trouble("other bytes", command)


def lose(part, chance):
    """Cuts a file, or zeros some of its last pages, as a loss of power may."""
    size = os.path.getsize(part)
    first = max(0, size - chance.choice([4096, 1 << 16, 1 << 20, size])) // 4096 * 4096
    with open(part, "r+b") as file:
        if chance.random() < 0.5:
            file.truncate(first)
        else:
            file.seek(first)
            file.write(bytes(min(size - first, chance.choice([4096, 1 << 16]))))


def is_same(one, other):
    """Whether two files have the same bytes."""
    with open(one, "rb") as first, open(other, "rb") as second:
        return first.read() == second.read()
