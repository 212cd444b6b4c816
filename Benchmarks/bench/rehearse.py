"""Rehearses hundreds of workers on a few cores: a stand-in for libzstd sleeps for as long as compressing takes.

What is left is the engine: reading, ordering, writing. The ideal time is that of whole rounds of frames: each worker
sleeps for its frames, and nothing else takes any time.
"""

import argparse
import dataclasses
import datetime
import math
import os
import subprocess
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

    def measure(self, command, frames, workers):
        """The median share of the ideal time, the largest and the least, and the largest peak in bytes."""
        rounds = math.ceil(frames / workers)
        command = dataclasses.replace(
            command, words=[self.sluice, "-q", "-f", "--no-sync", f"-T{workers}", *command.words],
            environment=self.environment(SLEEP * 1_000_000 // rounds))
        samples = [measure.run(command, self.folder) for _ in range(RUNS)]
        shares = sorted(SLEEP / sample.wall for sample in samples)
        return shares[RUNS // 2], shares[0], shares[-1], max(sample.peak for sample in samples)


def table(rehearsal):
    yield "| work | frames | " + " | ".join(f"{workers} workers | peak MiB" for workers in WORKERS) + " |"
    yield "|---|--:|" + "--:|" * 2 * len(WORKERS)
    for name, frames, command in rehearsal.rows():
        cells = []
        for workers in WORKERS:
            share, least, most, peak = rehearsal.measure(command, frames, workers)
            missed = " **missed**" if share < TARGETS.get(workers, 0) else ""
            cells += [f"{share:.2f} ({least:.2f}-{most:.2f}){missed}", f"{peak / MIB:.0f}"]
            say(f"{name}, {workers} workers: {share:.3f}")
        yield f"| {name} | {frames} | " + " | ".join(cells) + " |"


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
        rows = list(table(rehearsal))
    date = datetime.date.today().isoformat()
    text = "\n".join([
        f"# {date}, commit {commit}: a rehearsal of many workers", "", "`scripts/bench --rehearse`", "",
        f"{about['cpu']}, {about['cpus']} CPUs, {about['memoryMiB'] / 1024:.0f} GiB; {about['system']}, "
        f"Linux {about['kernel']}, {about['fileSystem']}; load at the start {about['load']:.2f}.", "",
        f"The share of the ideal time that the engine reaches (medians of {RUNS} runs, least and most) when libzstd "
        f"sleeps instead of computing, {SLEEP} s for each worker in all: whole rounds of frames, and nothing else that "
        f"takes time. To be reached: {', '.join(f'{share} with {count}' for count, share in TARGETS.items())}.",
        "", *rows, ""])
    print(text)
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / f"{date}-{commit}-rehearsal.md").write_text(text)


if __name__ == "__main__":
    main()
