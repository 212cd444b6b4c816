"""The results as one Markdown table, and as JSON."""

import json
from dataclasses import asdict
from statistics import median

from targets import verdicts

MIB = 1 << 20


def markdown(results, about):
    return "\n".join([*heading(about), "", *table(results), "", *target_table(results), ""])


def heading(about):
    machine, versions = about["machine"], about["versions"]
    yield f"# {about['date']}, commit {about['commit']}"
    yield ""
    yield f"`{about['command']}`"
    yield ""
    yield (f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['memoryMiB'] / 1024:.0f} GiB; "
           f"{machine['system']}, Linux {machine['kernel']}, {machine['fileSystem']}; "
           f"load at the start {machine['load']:.2f}.")
    yield "; ".join(version for version in versions.values() if version) + "."
    yield ""
    yield ("Whole processes, runs interleaved, medians; the spread is from the fastest to the slowest run; the page cache "
           f"is {'emptied' if about['cold'] else 'filled'} before each run, and the disk is synced before each run. All use "
           f"{machine['cpus']} threads unless it is said otherwise. The limit compresses in memory, with the same frames, and "
           "neither reads nor writes. **sluice syncs its output before it gives it a name, and no peer ever does**: "
           "`--no-sync` is the like-for-like line. No peak is less than that of the Python that starts the processes, "
           f"{about['floor'] / MIB:.0f} MiB. Every output was decompressed by the peer's own tool, zstd for zstd's format, and compared.")


def table(results):
    yield "| work | command | wall s | spread | CPU s | peak MiB | output MB | over the limit | sluice over it |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for case, contestants in results.cases.items():
        note = results.notes.get(case, "")
        for index, (name, samples) in enumerate(contestants.items()):
            walls = [sample.wall for sample in samples]
            digits = 4 if median(walls) < 0.1 else 2
            yield "| " + " | ".join([
                (case + (f" ({note})" if note else "")) if index == 0 else "", name,
                f"{median(walls):.{digits}f}", f"{min(walls):.{digits}f}-{max(walls):.{digits}f}",
                f"{results.middle(case, name, 'cpu'):.{digits}f}",
                number(results.middle(case, name, "peak") / MIB, 0), number(results.middle(case, name, "size") / 1e6, 1),
                number(results.ratio(case, name, "limit"), 2) if name != "limit" and not case.startswith("memory") else "",
                number(results.ratio(case, "sluice", name), 2) if name != "sluice" and not case.startswith("memory") else "",
            ]) + " |"


def target_table(results):
    yield "| target | at most | measured | |"
    yield "|---|--:|--:|---|"
    for verdict in verdicts(results):
        digits = 0 if verdict.unit else 3
        measured = "" if verdict.measured is None else f"{verdict.measured:.{digits}f} {verdict.unit}"
        yield f"| {verdict.work} | {round(verdict.most, digits)} {verdict.unit} | {measured} | {verdict.word} |"


def number(value, digits):
    return f"{value:.{digits}f}" if value else ""


def as_json(results, about):
    cases = {
        case: {"note": results.notes.get(case, ""),
               "runs": {name: [asdict(sample) for sample in samples] for name, samples in contestants.items()}}
        for case, contestants in results.cases.items()
    }
    targets = [asdict(verdict) | {"verdict": verdict.word} for verdict in verdicts(results)]
    return json.dumps(about | {"cases": cases, "targets": targets}, indent=1) + "\n"
