"""Many short runs, whose pipes, timers and signal sources end as soon as they are there.

libdispatch has a fault of its own here (issue 949: what it keeps of an epoll registration is used after it is freed).
"""

import os
import signal
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from run import LIMIT, Trouble, succeed

RUNS = 200
"""Runs of a round, several at a time: 500 rounds are 100,000."""


class Campaign:
    """A few hundred short runs a round."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder = binary, folder
        self.counts = Counter()
        self.plain = b" ".join(b"%x" % (number * 7919) for number in range(10_000))
        with open(os.path.join(folder, "plain"), "wb") as file:
            file.write(self.plain)
        self.packed = succeed([binary, "-qc", "plain"], folder)

    def round(self, number, chance):
        """Runs them all, and reports the first one that did not end as it should."""
        kinds = [self.kind(chance) for _ in range(RUNS)]
        with ThreadPoolExecutor(os.cpu_count() + 1) as pool:
            troubles = [trouble for trouble in pool.map(lambda kind: self.try_one(*kind), kinds) if trouble]
        if troubles:
            raise troubles[0]

    def kind(self, chance):
        """What is run, what it is given, how much of it is read, and which signal comes after how many seconds."""
        words, given = chance.choice([("-1", self.plain), ("-d", self.packed), ("--copy", self.plain), ("-t", self.packed)])
        words += chance.choice(["", "", " -v", " --progress", " --progress --limit-rate=1G", " --buffer=64K", " -T1"])
        given = given[: chance.choice([0, 1, chance.randrange(len(given)), len(given), len(given)])]
        most = chance.choice([0, 1, chance.randrange(len(given) + 1), None, None, None])
        number = chance.choice([None, None, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGWINCH, signal.SIGHUP])
        return words, given, most, number, chance.random() * chance.choice([0.002, 0.01])

    def try_one(self, words, given, most, number, delay):
        """One run; returns its trouble, or None."""
        process = subprocess.Popen([self.binary, "-q", *words.split()], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=self.folder)
        try:
            process.stdin.write(given)
            process.stdin.close()
        except BrokenPipeError:
            pass
        if number:
            time.sleep(delay)
            process.send_signal(number)
        if most is not None:
            os.read(process.stdout.fileno(), most)
            process.stdout.close()
            process.stdout = None
        if process.stdin.closed:
            process.stdin = None
        try:
            _, said = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Trouble(f"hung: {words}", f"head -c {len(given)} plain | {self.binary} -q {words}")
        how = "exit" if process.returncode >= 0 else signal.Signals(-process.returncode).name
        self.counts[how] += 1
        if process.returncode in (0, 1, -signal.SIGPIPE, -(number or 0)) and b"Fatal error" not in said:
            return None
        return Trouble(f"{how} {process.returncode}: {words}", f"head -c {len(given)} plain | {self.binary} -q {words}", said)
