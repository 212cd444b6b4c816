"""Rehearses hundreds of workers on a few cores: a stand-in for libzstd sleeps for as long as compressing takes.

What is left is the engine: reading, ordering, writing. The ideal time is that of whole rounds of frames: each worker
sleeps for its frames, and nothing else takes any time.

On a few cores that is no more than the machine's own time allows. Without any sleep the same run shows how long these
cores move the bytes. They do it while workers sleep, except that of the first frames nobody sleeps before they are
there: so the least time is the sleep, and of the time without sleep the share of one round.
"""

import argparse
import dataclasses
import datetime
import hashlib
import math
import os
import subprocess
import statistics
import sys
import tempfile
from pathlib import Path

import machine
import measure
from corpora import MIB, Corpora
from measure import Command

ROOT = Path(__file__).resolve().parents[2]
WORKERS = [8, 64, 256, 512]
# How long each worker sleeps in all, in seconds.
SLEEP = 3
RUNS = 3
SMALL_FILES = (1000, 4096)
COMPRESSES = ["-1", "-B1M", "--no-check"]
# What is to be reached of the ideal, with so many workers.
TARGETS = {64: 0.95, 256: 0.93, 512: 0.93}


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Rehearsal:
    def __init__(self, sluice, stand_in, corpora, folder):
        self.sluice = sluice
        self.stand_in = stand_in
        self.folder = folder
        self.content = corpora.linux()
        self.frames = math.ceil(self.content.stat().st_size / MIB)
        self.small_files = sorted(corpora.small_files(*SMALL_FILES).glob("?????"))
        self.packed = folder / "packed.zst"
        # What each row has made first: all numbers of workers have to make the same.
        self.digests = {}
        words = [sluice, "-q", "--no-sync", *COMPRESSES, self.content, "-o", self.packed]
        subprocess.run(words, env=os.environ | self.environment(0), check=True)
        for file in (self.content, self.packed):
            measure.warm(file)

    def environment(self, microseconds):
        return {"LD_PRELOAD": str(self.stand_in), "STAND_IN_MICROSECONDS": str(microseconds)}

    def rows(self):
        """Each row: its name, how many frames it has, and what is run."""
        made, content, packed = self.folder / "made", self.content, self.packed
        half = self.frames // 2
        return [
            ("compression of a file", self.frames, Command([*COMPRESSES, content, "-o", made], content, made)),
            ("compression from pipe to pipe", self.frames,
             Command([*COMPRESSES, "-c"], content, made, through_pipes=True)),
            ("decompression to nothing", self.frames, Command(["-t", packed], packed)),
            ("decompression to a file", self.frames, Command(["-d", packed, "-o", made], packed, made)),
            ("decompression from pipe to pipe", self.frames, Command(["-d", "-c"], packed, made, through_pipes=True)),
            ("a range of half the content", half,
             Command(["-d", f"--offset={self.frames // 4}M", f"--length={half}M", packed, "-o", made], packed, made)),
            (f"{len(self.small_files)} files of {SMALL_FILES[1] // 1024} KiB", len(self.small_files),
             Command(["-1", "--no-check", f"--output-dir-flat={self.folder}", *self.small_files])),
        ]

    def measure(self, name, command, frames, workers):
        """What RUNS runs took, and as many without sleep."""
        rounds = math.ceil(frames / workers)
        words = [self.sluice, "-q", "-f", "--no-sync", f"-T{workers}", *command.words]

        def runs(microseconds):
            timed = dataclasses.replace(command, words=words, environment=self.environment(microseconds))
            samples = [measure.run(timed, self.folder) for _ in range(RUNS)]
            self.compare(name, command, workers)
            return samples

        return Figures(runs(SLEEP * 1_000_000 // rounds), runs(0), min(1, workers / frames))

    def compare(self, name, command, workers):
        """Raises Failed unless the output is that of the runs before, with other numbers of workers."""
        files = [command.output] if command.output else sorted(self.folder.glob("?????.zst"))
        if command.output or command.source is None:
            digests = []
            for file in files:
                # In pieces: a process that this one starts counts what this one ever held as its own peak.
                with file.open("rb") as content:
                    digests.append(hashlib.file_digest(content, "sha256").digest())
            if self.digests.setdefault(name, digests) != digests:
                raise measure.Failed(f"{name}: {workers} workers make something else than fewer")


class Figures:
    """Medians of runs of one row with one number of workers."""

    def __init__(self, samples, awake, round_share):
        self.walls = sorted(sample.wall for sample in samples)
        self.peak = max(sample.peak for sample in samples)
        # CPU seconds beside the sleep, and the seconds that a run takes without sleep.
        self.cpu = statistics.median(sample.cpu for sample in samples)
        self.awake = statistics.median(sample.wall for sample in awake)
        self.least = SLEEP + self.awake * round_share

    def share(self, wall=None):
        """Of the ideal time."""
        return SLEEP / (wall or self.walls[RUNS // 2])

    def machine_share(self):
        """Of the least time on these cores."""
        return self.least / self.walls[RUNS // 2]


def tables(rehearsal):
    """Two tables: the shares of the ideal time, and what these cores allow."""
    head = " | ".join(f"{workers} workers" for workers in WORKERS)
    shares = [f"| work | frames | {head.replace(' workers', ' workers | peak MiB')} |"]
    shares.append("|---|--:|" + "--:|" * 2 * len(WORKERS))
    limits = [f"| work | {head} |", "|---|" + "--:|" * len(WORKERS)]
    for name, frames, command in rehearsal.rows():
        cells, own = [], []
        for workers in WORKERS:
            figures = rehearsal.measure(name, command, frames, workers)
            share, least, most = figures.share(), figures.share(figures.walls[-1]), figures.share(figures.walls[0])
            missed = " **missed**" if share < TARGETS.get(workers, 0) else ""
            cells += [f"{share:.2f} ({least:.2f}-{most:.2f}){missed}", f"{figures.peak / MIB:.0f}"]
            own.append(f"{figures.cpu:.2f}, {figures.awake:.2f}: {figures.machine_share():.2f}")
            say(f"{name}, {workers} workers: {share:.3f}, {own[-1]}")
        shares.append(f"| {name} | {frames} | " + " | ".join(cells) + " |")
        limits.append(f"| {name} | " + " | ".join(own) + " |")
    return shares, limits


def main():
    parser = argparse.ArgumentParser()
    for name in ("--sluice", "--stand-in", "--toolchain"):
        parser.add_argument(name, required=True, type=Path)
    parser.add_argument("--results", type=Path, default=ROOT / "Benchmarks" / "Results", metavar="DIR")
    options = parser.parse_args()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sluice-bench"
    about, commit = machine.describe(cache.parent), machine.commit(ROOT)
    with tempfile.TemporaryDirectory(prefix="rehearsal.", dir=cache.parent) as folder:
        corpora = Corpora(cache, options.toolchain, say)
        rehearsal = Rehearsal(options.sluice.resolve(), options.stand_in.resolve(), corpora, Path(folder))
        shares, limits = tables(rehearsal)
    date = datetime.date.today().isoformat()
    text = "\n".join([
        f"# {date}, commit {commit}: a rehearsal of many workers", "", "`scripts/bench --rehearse`", "",
        f"{about['cpu']}, {about['cpus']} CPUs, {about['memoryMiB'] / 1024:.0f} GiB; {about['system']}, "
        f"Linux {about['kernel']}, {about['fileSystem']}; load at the start {about['load']:.2f}.", "",
        f"The share of the ideal time that the engine reaches (medians of {RUNS} runs, least and most) when libzstd "
        f"sleeps instead of computing, {SLEEP} s for each worker in all: whole rounds of frames, and nothing else that "
        f"takes time. To be reached: {', '.join(f'{share} with {count}' for count, share in TARGETS.items())}.",
        "", *shares, "",
        f"What these {about['cpus']} cores do beside the sleep: seconds of CPU time, and seconds of a run without any "
        "sleep; behind them the share of the least time, which is that of the sleep, and of the seconds without sleep "
        "the share of one round: before the first frames are there, nobody sleeps. All outputs of a row are the same.",
        "", *limits, ""])
    print(text)
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / f"{date}-{commit}-rehearsal.md").write_text(text)


if __name__ == "__main__":
    main()
