"""Measures sluice against its peers: see scripts/bench --help."""

import argparse
import dataclasses
import datetime
import itertools
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import machine
import measure
import report
from corpora import Corpora
from targets import OTHER, Results, gate
from work import Work

ROOT = Path(__file__).resolve().parents[2]
GATE_TRIES = 3


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description="Measures sluice against zstd, pzstd and others, and against the machine's limit.",
        epilog="Results go to Benchmarks/Results. The exit code is 1 if a run failed or an output was wrong; a target "
        "that is not met is no failure, unless it is one of --gate.")
    parser.add_argument("--quick", action="store_true", help="within two minutes: parts of the corpora, few runs")
    parser.add_argument("--only", metavar="PATTERN", help="only the work whose name has this (a regular expression)")
    parser.add_argument("--runs", type=int, metavar="N", help="runs of each command")
    parser.add_argument("--cold", action="store_true", help="empty the page cache before each run")
    parser.add_argument("--against", type=Path, metavar="BINARY",
                        help="another sluice, which does what this one does, in the same turns")
    parser.add_argument("--gate", action="store_true",
                        help="only what sluice does, and fail if it takes longer than the other; before a commit that "
                        "is built as the other, and before all other options")
    parser.add_argument("--list", action="store_true", help="print the names of the work, and stop")
    parser.add_argument("--instructions", action="store_true",
                        help="count the instructions, system calls and threads of small runs, and nothing else")
    parser.add_argument("--rehearse", action="store_true",
                        help="measure hundreds of workers, with a stand-in for libzstd that sleeps instead of "
                        "computing, and nothing else")
    parser.add_argument("--results", type=Path, default=ROOT / "Benchmarks" / "Results", metavar="DIR",
                        help="write the results here")
    for name in ("--sluice", "--limit", "--stages", "--toolchain"):
        parser.add_argument(name, required=True, type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = arguments()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sluice-bench"
    cache.mkdir(parents=True, exist_ok=True)
    if options.cold and not os.access("/proc/sys/vm/drop_caches", os.W_OK):
        sys.exit("bench: --cold needs to write /proc/sys/vm/drop_caches, which only root may")
    needed = (3 if options.quick else 12) << 30
    if not options.list and shutil.disk_usage(cache).free < needed:
        sys.exit(f"bench: {cache} needs {needed >> 30} GiB of free space; XDG_CACHE_HOME puts it elsewhere")

    threads = machine.cpus()
    about = {
        "date": datetime.date.today().isoformat(), "commit": machine.commit(ROOT),
        "command": shlex.join(["scripts/bench", *own_words()]), "cold": options.cold,
        "machine": machine.describe(cache), "versions": machine.versions(options.sluice),
    }
    with tempfile.TemporaryDirectory(prefix="work.", dir=cache) as folder:
        corpora = Corpora(cache, options.toolchain, say)
        work = Work(
            corpora, options.sluice.resolve(), options.limit.resolve(), options.stages.resolve(), Path(folder),
            threads, options.quick, options.runs)
        chosen = [(name, make) for name, make in work.all() if not options.only or re.search(options.only, name)]
        if options.list:
            print("\n".join(name for name, _ in chosen))
            return 0
        if not chosen:
            sys.exit(f"bench: no work is called {options.only}; --list shows the names")
        results, failures = run_all(chosen, Path(folder), options)
        makes_many = any(Path(folder).glob("aside-*"))
    if makes_many:
        corpora.removal_mark.touch()

    about["floor"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    if options.gate:
        return pass_gate(results, failures)
    text = report.markdown(results, about)
    if failed := [name for name, _ in chosen if name not in results.cases]:
        text += f"\nFailed, and left out: {', '.join(failed)}.\n"
    print(text)
    options.results.mkdir(parents=True, exist_ok=True)
    suffix = ("-quick" if options.quick else "") + ("-part" if options.only else "") + ("-cold" if options.cold else "")
    file = unused(options.results / f"{about['date']}-{about['commit']}{suffix}")
    file.with_name(file.name + ".md").write_text(text)
    file.with_name(file.name + ".json").write_text(report.as_json(results, about))
    say(f"wrote {file}.md and .json")
    for failure in failures:
        say(f"FAILED: {failure}")
    return 1 if failures else 0


def pass_gate(results, failures):
    """Prints the rows, and says which are slower than they may be; the exit code."""
    print("\n".join(report.table(results)))
    rows = list(gate(results))
    slower = [row for row in rows if row.measured > row.most]
    for row in slower:
        say(f"SLOWER: {row.work}: {row.measured:.3f}, at most {row.most}")
    say(f"{len(rows)} rows, {len(slower)} of them slower than they may be, {len(failures)} failed")
    return 1 if slower or failures or not rows else 0


def unused(file):
    """The name, or with a number behind it: another part of the same commit was measured under it."""
    names = itertools.chain([file], (file.with_name(f"{file.name}-{number}") for number in itertools.count(2)))
    return next(name for name in names if not name.with_name(name.name + ".md").exists())


def own_words():
    """The words that the person typed: those that the script puts in front are paths of the machine."""
    words = sys.argv[1:]
    hidden = ("--sluice", "--limit", "--stages", "--toolchain")
    return ["BINARY" if index > 0 and words[index - 1] == "--against" else word for index, word in enumerate(words)
            if word not in hidden and (index == 0 or words[index - 1] not in hidden)]


def add_rival(case, sluice, rival, is_gate):
    """Has another sluice do whatever this one does, and for a gate nobody else."""
    if is_gate:
        case.contestants = {name: command for name, command in case.contestants.items() if command.words[0] == sluice}
    for name, command in list(case.contestants.items()):
        if command.words[0] == sluice:
            case.contestants[name + OTHER] = dataclasses.replace(command, words=[rival, *command.words[1:]])


def run_all(chosen, folder, options):
    results, failures = Results(), []
    for name, make in chosen:
        try:
            case = make()
            if options.against:
                add_rival(case, options.sluice.resolve(), options.against.resolve(), options.gate)
            results.notes[name] = case.note
            # What is slower once, and then no more, was held up by what else the machine does.
            for _ in range(GATE_TRIES if options.gate else 1):
                results.cases[name] = {contestant: [] for contestant in case.contestants}
                run_case(case, results.cases[name], folder, options.cold)
                if all(row.measured <= row.most for row in gate(results, [name])):
                    break
        except (measure.Failed, subprocess.CalledProcessError) as error:
            failures.append(f"{name}: {error}")
            results.cases.pop(name, None)
            say(failures[-1])
    return results, failures


def run_case(case, samples, folder, is_cold):
    is_short = case.runs > 20
    for turn in range(case.runs):
        # A B C, C A B: what else the machine does hits all of them alike, and so does what the run before left behind.
        turns = list(case.contestants.items())
        random.Random(turn).shuffle(turns)
        for contestant, command in turns:
            if not is_short:
                os.sync()
            if is_cold:
                measure.drop_caches()
            else:
                # Each time: some kernels give back the memory of what was not read for seconds (DAMON).
                for path in {command.source, *command.words}:
                    if isinstance(path, Path) and path.is_file():
                        measure.warm(path)
            sample = measure.run(command, folder)
            samples[contestant].append(sample)
            if not is_short:
                say(f"{case.name} [{turn + 1}/{case.runs}] {contestant}: {sample.wall:.3f} s")
            if command.verify:
                command.verify()
            if command.output and command.output.is_file():
                command.output.unlink()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
