"""Producers stop and start, readers leave: the right bytes, or a beginning of them."""

import os
import signal
import subprocess
import threading
import time
from collections import Counter

from run import LIMIT, Trouble, succeed


class Campaign:
    """A pipeline a round."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder = binary, folder
        self.counts = Counter()
        self.plain = b" ".join(b"%x" % (number * number * 7919 % 1000003) for number in range(1_500_000))
        with open(os.path.join(folder, "plain"), "wb") as file:
            file.write(self.plain)
        self.packed = succeed([binary, "-qc", "-1", "-B256K", "plain"], folder)
        with open(os.path.join(folder, "packed"), "wb") as file:
            file.write(self.packed)

    def round(self, number, chance):
        """Feeds a filter in pieces, with pauses, and stops to read somewhere."""
        words, given, wanted = chance.choice([
            ("-1 -B256K", self.plain, self.packed), ("-d", self.packed, self.plain), ("--copy", self.plain, self.plain)])
        words = f"-q -T{chance.randrange(1, 5)} {words}"
        most = chance.choice([len(wanted) + 1, chance.randrange(len(wanted)), chance.randrange(70_000)])
        piece = chance.choice([chance.randrange(1, 4000), chance.randrange(1, 300_000)])
        if piece < 1000:
            given_most = piece * 2000
        else:
            given_most = len(given)
        is_cut = chance.random() < 0.2 or given_most < len(given)
        if is_cut:
            given = given[: min(given_most, chance.randrange(len(given)))]
        process = subprocess.Popen([self.binary, *words.split()], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, process_group=0)
        pauses = [chance.random() / 100 if chance.random() < 0.1 and turn < 3000 else 0 for turn in range(2000)]
        feeder = threading.Thread(target=feed, args=(process.stdin, given, piece, pauses))
        guard = threading.Timer(LIMIT, process.kill)
        feeder.start()
        guard.start()
        got = process.stdout.read(most)
        process.stdout.close()
        said = process.stderr.read().decode(errors="replace")
        process.stderr.close()
        code = process.wait()
        guard.cancel()
        feeder.join()
        name = "plain" if words.split()[-1] != "-d" else "packed"
        command = f"head -c {len(given)} {name} | {self.binary} {words} | head -c {most}"
        if code == -signal.SIGKILL:
            raise Trouble(f"hung: {words}", command)
        if code not in (0, 1, -signal.SIGPIPE) or "Fatal error" in said:
            raise Trouble(f"exit {code}: {words}", command, said)
        if is_cut and words.split()[-1] != "-d":
            # Less was given: it is compressed as a shorter input, which begins alike only where frames are full.
            if code == 1:
                raise Trouble(f"exit 1 for a shorter input: {words}", command, said)
            if code == 0 and "--copy" in words and got != given[:most]:
                raise Trouble(f"not the right bytes: {words}", command, said)
        else:
            if got != wanted[: len(got)] or (code == 0 and got != wanted[:most]):
                raise Trouble(f"not the right bytes: {words}", command, said)
            if code == 0 and is_cut and len(given) < len(self.packed) and len(got) < most:
                raise Trouble(f"exit 0 for a cut input: {words}", command, said)
            if code == 1 and not is_cut:
                raise Trouble(f"exit 1: {words}", command, said)
        self.counts["cut" if is_cut else "whole"] += 1


def feed(stdin, data, piece, pauses):
    """Writes the data, in pieces, with pauses; a reader that leaves ends it."""
    try:
        for turn, start in enumerate(range(0, len(data), piece)):
            stdin.write(data[start : start + piece])
            stdin.flush()
            if pauses[turn % len(pauses)] and turn < len(pauses):
                time.sleep(pauses[turn])
        stdin.close()
    except BrokenPipeError:
        pass
