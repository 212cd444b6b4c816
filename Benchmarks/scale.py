#!/usr/bin/env python3
"""A model of how fast sluice would be on more cores, from what its stages cost on one machine (docs/scaling.md).

It multiplies and takes the smaller number; it measures nothing. Workers are taken to scale linearly, which is the best
that they can do, and all reads and writes of files to share one ceiling, as libdispatch serialises them.

    Benchmarks/scale.py
    Benchmarks/scale.py --cores 8 32 --ceiling 5
    Benchmarks/scale.py --stage 'compress, level 19' 32 MILLISECONDS RATIO 1
"""

import argparse

MIB_PER_GIB = 1024

# Name, MiB of content in a chunk, milliseconds of one worker for it, ratio, and whether the result is written (1, 0).
STAGES = (
    ("compress, level 1", 4, 6.8, 5.99, 1),
    ("compress, level 3", 8, 18.2, 6.75, 1),
    ("compress, level 9", 24, 252, 8.21, 1),
    ("decompress", 8, 5.1, 6.75, 1),
    ("test", 8, 5.1, 6.75, 0),
)


# Name, seconds of one core for entropy, for execution and for the checksum, and those of zstd -d.
FRAMES = (
    ("level 3, sources", 0.67, 0.39, 0.10, 1.35),
    ("level 3, programs", 1.16, 0.44, 0.11, 1.64),
)


def frame_seconds(cores, entropy, execution, checksum):
    """Of one frame: the stages share the cores, but execution, and the checksum, have one each at most."""
    return max((entropy + execution + checksum) / cores, execution, checksum)


class Stage:
    def __init__(self, name, chunk, milliseconds, ratio, writes):
        self.name = name
        self.worker = float(chunk) / MIB_PER_GIB / (float(milliseconds) / 1000)
        packed = 1 / float(ratio)
        compresses = name.startswith("compress")
        # File bytes that are read and written for each byte of content.
        self.read = 1 if compresses else packed
        self.written = (packed if compresses else 1) if int(writes) else 0

    def most(self, ceiling, reads=True):
        """GiB of content per second that the ceiling lets through."""
        moved = (self.read if reads else 0) + self.written
        return ceiling / moved if moved else float("inf")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cores", type=int, nargs="+", default=[2, 16, 64, 128])
    parser.add_argument(
        "--ceiling", type=float, default=3.5, help="GiB/s of reads and writes of files together (default: %(default)s)")
    parser.add_argument(
        "--reading", type=float, default=4.9, help="GiB/s of reads alone, for a test (default: %(default)s)")
    parser.add_argument(
        "--stage", nargs=5, action="append", metavar=("NAME", "CHUNK_MIB", "MS", "RATIO", "WRITES"),
        help="instead of the defaults; a NAME that begins with compress reads content, any other reads frames")
    arguments = parser.parse_args()
    numbers = [*arguments.cores, arguments.ceiling, arguments.reading]
    stages = []
    try:
        for fields in arguments.stage or STAGES:
            numbers += [float(field) for field in fields[1:4]]
            stages.append(Stage(*fields))
    except (ValueError, ZeroDivisionError):
        parser.error("a stage takes a name, three numbers above 0, and 1 or 0")
    if min(numbers) <= 0:
        parser.error("numbers must be above 0")
    return arguments, stages


def rate(stage, cores, most):
    """GiB/s, and the share of the cores that it keeps busy."""
    free = cores * stage.worker
    return f"{min(free, most):.1f} ({min(1, most / free):.0%})"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---|" + "--:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    arguments, stages = parse()
    ceilings = {stage: stage.most(arguments.ceiling if stage.written else arguments.reading) for stage in stages}
    heads = [f"{cores} cores" for cores in arguments.cores]
    print("GiB/s of content (share of the cores that is busy):\n")
    table(
        ["work", "one worker", "ceiling", "met at", *heads],
        ([
            stage.name, f"{stage.worker:.2f}", f"{ceilings[stage]:.1f}", f"{ceilings[stage] / stage.worker:.0f} cores",
            *(rate(stage, cores, ceilings[stage]) for cores in arguments.cores)
        ] for stage in stages))
    print("If workers read their own chunks, and only writes met the ceiling:\n")
    table(
        ["work", "met at", *heads],
        ([
            stage.name, f"{stage.most(arguments.ceiling, reads=False) / stage.worker:.0f} cores",
            *(rate(stage, cores, stage.most(arguments.ceiling, reads=False)) for cores in arguments.cores)
        ] for stage in stages if stage.written))
    print("One frame, over the time of zstd -d:\n")
    table(
        ["content", "one core", *heads],
        ([name, *(f"{frame_seconds(cores, *stages) / zstd:.2f}" for cores in (1, *arguments.cores))]
         for name, *stages, zstd in FRAMES))


if __name__ == "__main__":
    main()
