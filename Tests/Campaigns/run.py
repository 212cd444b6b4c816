"""Runs a command, and says how it ended."""

import os
import resource
import signal
import subprocess
import tempfile
import time

LIMIT = 20
"""Seconds after which a run counts as hung, however busy the machine is."""


class Trouble(Exception):
    """A promise that was not kept.

    The kind is the same for all runs of its like, and has no numbers that chance gave it; the command is one that a
    shell can repeat in the folder that is kept.
    """

    def __init__(self, kind, command, details=""):
        super().__init__(kind)
        self.kind, self.command, self.details = kind, command, details


class Ended:
    """How a command ended: its exit code, or minus its signal, what it wrote and said, and its peak memory in KiB."""

    def __init__(self, code, output, messages, peak):
        self.code, self.output, self.messages, self.peak = code, output, messages, peak

    @property
    def is_crash(self):
        """Whether it died in a way that no program means to."""
        crashes = {signal.SIGILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTRAP, signal.SIGBUS, signal.SIGFPE}
        return -self.code in crashes or b"Fatal error" in self.messages

    @property
    def how(self):
        """In a word or two."""
        return signal.Signals(-self.code).name if self.code < 0 else f"exit {self.code}"


class Run:
    """A command that was started in a folder, with a process group of its own."""

    def __init__(self, words, folder, stdin=None, address_space=None, file_size=None, reads_output=True):
        self.words = words
        self.output, self.messages = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.began = time.monotonic()

        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if address_space:
                resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
            if file_size:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

        self.process = subprocess.Popen(
            words, cwd=folder, stdin=stdin or subprocess.DEVNULL, process_group=0, preexec_fn=limit,
            stdout=self.output if reads_output else subprocess.DEVNULL, stderr=self.messages)
        if stdin:
            # What feeds the pipe ends when the command no longer reads it.
            stdin.close()

    @property
    def is_over(self):
        """Whether it has ended; it can be asked how, and sent signals, all the same."""
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    @property
    def peak(self):
        """The most memory that it has had so far, in KiB.

        What `wait4` says of it begins with what this process had when it was forked.
        """
        try:
            with open(f"/proc/{self.process.pid}/status") as status:
                return next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)
        except OSError:
            return 0

    def kill(self, number):
        """Sends the process a signal, if it is still there. It is not reaped before `end`, so its number is its own."""
        os.kill(self.process.pid, number)

    def end(self):
        """Waits for the end, and returns how it came; `None` for a run that hung."""
        hung, peak = False, 0
        while not self.is_over:
            peak = max(peak, self.peak)
            if time.monotonic() - self.began > LIMIT:
                hung = True
                os.killpg(self.process.pid, signal.SIGKILL)
            time.sleep(0.001)
        _, status = os.waitpid(self.process.pid, 0)
        # subprocess must not wait for it too.
        self.process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (self.output, self.messages):
            file.seek(0)
            texts.append(file.read())
            file.close()
        return None if hung else Ended(self.process.returncode, *texts, peak)


def run(words, folder, **options):
    """Runs a command to its end; `None` if it hung."""
    return Run(words, folder, **options).end()


def piped(path):
    """A pipe from which the bytes of a file come."""
    cat = subprocess.Popen(["cat", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return cat.stdout


def succeed(words, folder, **options):
    """What a command writes that has to work for a campaign to begin."""
    ended = run(words, folder, **options)
    if ended is None or ended.code != 0:
        raise SystemExit(f"campaign: {' '.join(map(str, words))}: {ended.messages.decode() if ended else 'hung'}")
    return ended.output
