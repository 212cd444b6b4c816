"""Producers stop and start, readers leave, buffers hold back: the right bytes, or a beginning of them."""

import os
import signal
import subprocess
import threading
import time
from collections import Counter

from operations import files
from run import LIMIT, Trouble, run, succeed


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
        """Feeds a filter in pieces, with pauses, and stops to read somewhere; or fills a buffer of some size first."""
        if chance.random() < 0.25:
            self.hold_back(chance)
            return
        words, given, wanted = chance.choice([
            ("-1 -B256K", self.plain, self.packed), ("-d", self.packed, self.plain), ("--copy", self.plain, self.plain)])
        is_cut = chance.random() < 0.2
        if is_cut:
            given = given[: chance.randrange(len(given))]
        # No more pieces than a producer has time for.
        piece = max(chance.choice([1 + chance.randrange(4000), 1 + chance.randrange(300_000)]), len(given) // 4000)
        pauses = [chance.random() / 100 if chance.random() < 0.1 else 0 for _ in range(2000)]
        most = chance.choice([len(wanted) + 1, chance.randrange(len(wanted)), chance.randrange(70_000)])
        words = f"-q -T{chance.randrange(1, 5)} {words}"
        name = "packed" if given is self.packed or words.endswith("-d") else "plain"
        command = f"head -c {len(given)} {name} | {self.binary} {words} | head -c {most}"
        code, got, said = self.pass_on(words, given, piece, pauses, most)
        if code == -signal.SIGKILL:
            raise Trouble(f"hung: {words}", command)
        if code not in (0, 1, -signal.SIGPIPE) or b"Fatal error" in said:
            raise Trouble(f"exit {code}: {words}", command, said)
        if code == 1 and not (is_cut and words.endswith("-d")):
            raise Trouble(f"exit 1: {words}", command, said)
        if code == 0 and is_cut and words.endswith("-d") and given and len(got) < most:
            raise Trouble(f"exit 0 for a cut input: {words}", command, said)
        if is_cut and words.endswith("--copy"):
            wanted = given
        # A shorter input is compressed to another end.
        if not (is_cut and "-B" in words):
            if not wanted.startswith(got) or (code == 0 and got != wanted[:most]):
                raise Trouble(f"not the right bytes: {words}", command, said)
        self.counts["cut" if is_cut else "whole"] += 1

    def pass_on(self, words, given, piece, pauses, most):
        """Runs the filter between a producer and a reader; gives its exit code, what was read, and what it said."""
        process = subprocess.Popen([self.binary, *words.split()], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, process_group=0)
        feeder = threading.Thread(target=feed, args=(process.stdin, given, piece, pauses))
        # The pauses take no more than ten seconds.
        guard = threading.Timer(10 + LIMIT, process.kill)
        feeder.start()
        guard.start()
        got = process.stdout.read(most)
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        code = process.wait()
        guard.cancel()
        feeder.join()
        return code, got, said

    def hold_back(self, chance):
        """Compresses what can't be compressed, to a file, through a buffer that fills first."""
        with open(os.path.join(self.folder, "random"), "wb") as file:
            file.write(chance.randbytes(chance.randrange(8_000_000)))
        words = (f"-q -f -T{chance.randrange(1, 4)} {chance.choice(['-1', '-3', '-12'])} -B{1 << chance.randrange(4, 11)}K "
                 f"--buffer={1 << chance.randrange(6, 13)}K --buffer-start={chance.randrange(1, 101)} random -o out.zst")
        ended = run([self.binary, *words.split()], self.folder)
        command = f"{self.binary} {words}"
        if ended is None:
            raise Trouble("hung: a file behind a buffer", command)
        if ended.code != 0:
            raise Trouble(f"{ended.how}: a file behind a buffer", command, ended.messages.decode(errors="replace"))
        if succeed(["zstd", "-dcq", "out.zst"], self.folder) != files(self.folder)["random"]:
            raise Trouble("not the right bytes: a file behind a buffer", command)
        self.counts["held back"] += 1


def feed(stdin, data, piece, pauses):
    """Writes the data, in pieces, with pauses; a reader that leaves ends it."""
    try:
        for turn, start in enumerate(range(0, len(data), piece)):
            stdin.write(data[start : start + piece])
            stdin.flush()
            if turn < len(pauses) and pauses[turn]:
                time.sleep(pauses[turn])
        stdin.close()
    except BrokenPipeError:
        pass
