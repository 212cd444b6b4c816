"""Signals of every kind, alone and in bursts, from the first moment on.

USR1, WINCH, CONT and a stop never end a run. The others end it by themselves, or come too late: what was there is there,
or the new file is whole, and only KILL and what nobody asks a program to care for may leave a temporary file.
"""

import os
import signal
import time
from collections import Counter

from operations import operations
from run import LIMIT, Run

GENTLE = [signal.SIGUSR1, signal.SIGWINCH, signal.SIGCONT, signal.SIGTSTP]
DEADLY = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
RUDE = [signal.SIGKILL, signal.SIGQUIT, signal.SIGUSR2, signal.SIGPIPE]


def catches(pid, number):
    """Whether a process has a handler for a signal, as the kernel sees it."""
    try:
        with open(f"/proc/{pid}/status") as status:
            masks = dict(line.split(":\t", 1) for line in status if line.startswith("Sig"))
    except OSError:
        return False
    return int(masks.get("SigCgt", "0"), 16) >> (number - 1) & 1 == 1


class Campaign:
    """A run a round, with signals."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder = binary, folder
        self.counts = Counter()
        self.place = os.path.join(folder, "place")
        text = b" ".join(b"%x" % (number * number * 7919 % 1000003) for number in range(1_200_000))
        self.operations = operations(binary, folder, text, 6_000_000, 1 << 18)

    def round(self, number, chance):
        """Starts an operation, sends it signals, and looks at what is left."""
        operation = chance.choice(self.operations)
        mood = chance.choice(["gentle", "gentle", "deadly", "deadly", "both", "rude"])
        numbers = [chance.choice({"gentle": GENTLE, "deadly": DEADLY, "rude": RUDE, "both": GENTLE}[mood])
                   for _ in range(chance.choice([1, 1, 2, 5, 20, 60]))]
        if mood == "gentle" and chance.random() < 0.5:
            numbers = [signal.SIGUSR1] * len(numbers)
        if mood == "both":
            numbers.append(chance.choice(DEADLY))
        delay = chance.choice([chance.uniform(0, 0.006), chance.uniform(0, 0.04), chance.uniform(0, 0.2)])
        pause = chance.choice([0, chance.uniform(0, 0.002)])
        operation.prepare(self.place)
        run = Run([self.binary, *operation.words.split()], self.place, stdin=operation.input(self.place))
        wait(delay)
        sent, is_early = self.send(run, numbers, pause)
        ended = self.end(run)
        deadly = {number for number in sent if number not in GENTLE}
        if is_early and ended and ended.code == -signal.SIGUSR1:
            # Until the dynamic loader is done, nothing of ours can ask for anything else.
            self.counts["ended by USR1 before it was loaded"] += 1
            deadly.add(signal.SIGUSR1)
        names = " ".join(signal.Signals(number).name for number in dict.fromkeys(sent))
        command = f"{operation.command(self.binary)} & sleep {delay:.4f}; kill with {len(sent)} of {names}, {pause:.4f} s apart"
        may_leave = any(number in RUDE for number in sent) or signal.SIGUSR1 in deadly
        operation.judge(ended, self.place, command, f" ({names})", deadly, may_leave)
        self.counts[ended.how] += 1

    def send(self, run, numbers, pause):
        """Returns which signals were sent, and whether the first USR1 came before there was a handler."""
        sent, is_early = [], False
        for number in numbers:
            if run.is_over:
                break
            if number == signal.SIGUSR1 and not is_early and signal.SIGUSR1 not in sent:
                is_early = not catches(run.process.pid, number)
            run.kill(number)
            sent.append(number)
            wait(pause)
        return sent, is_early

    def end(self, run):
        """Lets it go on, where it was stopped, until it is over."""
        while not run.is_over and time.monotonic() - run.began < LIMIT:
            run.kill(signal.SIGCONT)
            time.sleep(0.002)
        return run.end()


def wait(seconds):
    """Sleeps, or for a moment shorter than a sleep can be, does not."""
    ends = time.monotonic() + seconds
    if seconds > 0.001:
        time.sleep(seconds - 0.0005)
    while time.monotonic() < ends:
        pass
