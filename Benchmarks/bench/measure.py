"""Runs one command and measures the whole process: wall and CPU time, peak memory, size of the output."""

import os
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path


class Failed(Exception):
    """A command failed, or its output is wrong. Either fails the benchmark."""


@dataclass
class Sample:
    wall: float
    user: float = 0.0
    system: float = 0.0
    peak: int = 0  # bytes, resident
    size: int = 0  # bytes of output

    @property
    def cpu(self):
        return self.user + self.system


@dataclass
class Command:
    """What is run, where its input comes from and where its output goes.

    The output is the file `output`, unless it is nothing or /dev/null. With `through_stdin` the input is its standard
    input, with `from_pipe` that is a pipe from a cat, and with `through_pipes` both ends are, to a cat on either side; the
    one behind it reads `pace` bytes a second, if that is said.
    """

    words: list
    source: Path | None = None
    output: Path | None = None
    through_stdin: bool = False
    through_stdout: bool = False
    from_pipe: bool = False
    through_pipes: bool = False
    pace: int | None = None
    folder: Path | None = None
    # What becomes of a sample, given what the command printed: zstd_limit measures itself.
    read_sample: object = None
    # Raises Failed if the output is wrong; called after every run, outside the timing.
    verify: object = None
    # Called before every run, outside the timing.
    prepare: object = None
    environment: dict = field(default_factory=dict)


def run(command, work):
    """Runs the command once, in `work` for what it prints, and returns its Sample."""
    if command.output and str(command.output) != "/dev/null":
        command.output.unlink(missing_ok=True)
    if command.prepare:
        command.prepare()
    log = work / "stderr"
    printed = work / "stdout"
    others = []
    files = []

    def opened(path, mode):
        files.append(open(path, mode))
        return files[-1]

    try:
        errors = opened(log, "wb")
        stdin = subprocess.DEVNULL
        stdout = opened(printed, "wb")
        if command.through_stdin:
            stdin = opened(command.source, "rb")
        if command.through_stdout:
            stdout = opened(command.output, "wb")
        start = time.perf_counter()
        if command.through_pipes or command.from_pipe:
            feed = subprocess.Popen(["cat", command.source], stdout=subprocess.PIPE)
            others.append(feed)
            stdin = feed.stdout
        if command.through_pipes:
            stdout = subprocess.PIPE
        process = subprocess.Popen(
            [str(word) for word in command.words], stdin=stdin, stdout=stdout, stderr=errors, cwd=command.folder,
            env=os.environ | command.environment)
        if others:
            others[0].stdout.close()
        if command.through_pipes:
            reader = ["pv", "-q", "-L", str(command.pace)] if command.pace else ["cat"]
            drain = subprocess.Popen(reader, stdin=process.stdout, stdout=opened(command.output, "wb"))
            process.stdout.close()
            others.append(drain)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        codes = [other.wait() for other in others]
        wall = time.perf_counter() - start
    finally:
        for file in files:
            file.close()
    if process.returncode != 0 or any(codes):
        words = " ".join(str(word) for word in command.words[:12])
        raise Failed(f"{words}: exit code {process.returncode}: {log.read_text(errors='replace').strip()[-500:]}")
    # Linux gives KiB. No less than the memory of this Python shows: it was the process before exec.
    sample = Sample(wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss * 1024)
    if command.output and command.output.is_file():
        sample.size = command.output.stat().st_size
    if command.read_sample:
        sample = command.read_sample(sample, printed.read_text())
    return sample


def check_equal(decompress, reference):
    """Raises Failed unless the command's standard output is, byte for byte, the file `reference`."""
    words = [str(word) for word in decompress]
    producer = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    compare = subprocess.run(
        ["cmp", "-", str(reference)], stdin=producer.stdout, capture_output=True, text=True)
    producer.stdout.close()
    errors = producer.stderr.read().decode(errors="replace").strip()
    producer.stderr.close()
    if producer.wait() != 0 or compare.returncode != 0:
        raise Failed(f"{' '.join(words)}: not what went in: {errors} {compare.stdout}{compare.stderr}".strip())


def drop_caches():
    """Empties the page cache, for cold runs."""
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3\n")


def warm(path):
    """Reads a file once, so that it is in the page cache."""
    with open(path, "rb", buffering=0) as file:
        buffer = bytearray(1 << 20)
        while file.readinto(buffer):
            pass
