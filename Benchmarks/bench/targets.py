"""What is to be reached: ratios between measured commands, and whether they are kept."""

from dataclasses import dataclass
from statistics import median

from work import frame_mib

MIB = 1 << 20
OTHER = ", the other"
"""What follows the name of a command when another sluice runs it."""


@dataclass
class Verdict:
    work: str
    most: float
    measured: float | None
    unit: str = ""

    @property
    def word(self):
        if self.measured is None:
            return "not measured"
        return "met" if self.measured <= self.most else "NOT met"


class Results:
    """The samples of the cases that were run."""

    def __init__(self):
        self.cases = {}  # case: {contestant: [Sample]}
        self.notes = {}

    def middle(self, case, name, figure="wall"):
        samples = self.cases.get(case, {}).get(name)
        return median(getattr(sample, figure) for sample in samples) if samples else None

    def ratio(self, case, name, other, figure="wall"):
        """The median of the ratios within a turn, since the machine is not as fast in the next one."""
        contestants = self.cases.get(case, {})
        turns = zip(contestants.get(name, []), contestants.get(other, []))
        ratios = [getattr(above, figure) / getattr(below, figure) for above, below in turns]
        return median(ratios) if ratios else None


def gate(results, cases=None):
    """How long each command of sluice takes over what the other takes for it: by the medians or by the best runs,
    whichever is less, for what else the machine does lengthens single runs."""
    for case in cases or results.cases:
        contestants = results.cases[case]
        for name in contestants:
            if name + OTHER not in contestants:
                continue
            both = [[sample.wall for sample in contestants[one]] for one in (name, name + OTHER)]
            ratio = min(median(both[0]) / median(both[1]), min(both[0]) / min(both[1]))
            if case.startswith("--adapt"):
                # What was chosen: the reader sets the time.
                sizes = [median(sample.size for sample in contestants[one]) for one in (name, name + OTHER)]
                yield Verdict(f"{case}, {name}: size", 1.03, max(sizes) / min(sizes))
            # Of a run of milliseconds the start is most, which chance moves more.
            yield Verdict(f"{case}, {name}", 1.10 if median(both[1]) < 0.1 else 1.05, ratio)


def verdicts(results):
    """What is asked for: every line for the default, which syncs, whatever its peers do."""
    corpora = ("linux", "toolchain")

    def line(work, most, case, other, figure="wall"):
        return Verdict(work, most, results.ratio(case, "sluice", other, figure))

    for level, over_limit, over_zstd, over_pzstd in ((1, 1.12, 0.78, 0.92), (3, 1.08, 0.85, 0.95), (9, 1.05, 0.95, 1.02)):
        for corpus in corpora:
            case = f"compress -{level} {corpus}"
            yield line(f"{case}: wall over the limit", over_limit, case, "limit")
            yield line(f"{case}: wall over zstd", over_zstd, case, "zstd")
            yield line(f"{case}: wall over pzstd", over_pzstd, case, "pzstd")
    for level in (1, 3, 6, 9):
        for corpus in corpora:
            case = f"compress -{level} {corpus}"
            yield line(f"{case}: size over zstd", 1.005, case, "zstd", "size")
    yield line("compress -3 linux: CPU over the limit", 1.12, "compress -3 linux", "limit", "cpu")
    own = "decompress own -3 to /dev/null"
    yield line(f"{own}: wall over the limit", 1.1, own, "limit")
    yield line(f"{own}: wall over zstd -d", 0.45, own, "zstd")
    pzstd = "decompress pzstd -3 to /dev/null"
    yield line(f"{pzstd}: wall over pzstd -d", 0.95, pzstd, "pzstd")
    for corpus in corpora:
        single = f"decompress one frame -3 {corpus}"
        yield line(f"{single}: wall over zstd -d", 0.60, single, "zstd")
        piped = f"decompress one frame of a pipe -3 {corpus}"
        yield line(f"{piped}: wall over zstd -d", 0.65, piped, "zstd")
    yield line("pipe to pipe -3: wall over zstd", 0.8, "pipe to pipe -3", "zstd")
    yield line("pipe to pipe -3: wall over pzstd", 0.92, "pipe to pipe -3", "pzstd")
    for level, most in ((1, 1.06), (3, 1.06), (9, 1.03)):
        short = f"a short run -{level}"
        yield Verdict(f"{short}: wall over the limit, without syncing", most,
                      results.ratio(short, "sluice --no-sync", "limit"))
    yield line("start-up: wall over zstd", 4, "start-up", "zstd")
    tiny = "a file of 6 bytes"
    yield Verdict(f"{tiny}: wall over zstd, without syncing", 1.5, results.ratio(tiny, "sluice --no-sync", "zstd"))
    for case in ("files of 4 KiB, -3", "files of 4 KiB, -3 with a dictionary", "files of 4 KiB with -r, -3"):
        yield line(f"{case}: wall over zstd", 0.7, case, "zstd")
    instruments = "what statistics cost, -1"
    for option, most in (("--stats-file", 1.01), ("--trace", 1.02)):
        yield Verdict(
            f"{instruments}: CPU with {option} over without", most,
            results.ratio(instruments, f"sluice {option}", "sluice", "cpu"))
    for work in ("-1", "-3", "-3, 10.9 GB"):
        machines = f"the work of machines, {work}"
        for count in (4, 16):
            yield Verdict(
                f"{machines}: CPU of {count} parts over one run", 1.03,
                results.ratio(machines, f"sluice, {count} parts", "sluice", "cpu"))
    members = "a tar with its members -3"
    yield Verdict(f"{members}: wall over without", 1.02, results.ratio(members, "sluice --members", "sluice"))
    parity = "with parity -3"
    yield Verdict(f"{parity}: wall over without", 1.05, results.ratio(parity, "sluice --parity", "sluice"))
    repair = "repair of rotten blocks"
    yield Verdict(f"{repair}: wall over -t", 4, results.ratio(repair, "sluice --repair", "sluice -t"))
    for corpus in corpora[:1] + ("log",):
        lines = f"whole lines -3 {corpus}"
        yield Verdict(f"{lines}: wall over without", 1.02, results.ratio(lines, "sluice --lines", "sluice"))
        yield Verdict(f"{lines}: size over without", 1.002, results.ratio(lines, "sluice --lines", "sluice", "size"))
    yield Verdict(
        "list of members: without an index over -t", 1.1,
        results.ratio("list of members", "sluice, without an index", "sluice -t"))
    yield Verdict("one member: wall over a start", 3, results.ratio("one member", "sluice", "a start"))
    # With ISA-L; bgzip's members on all cores.
    yield line("decompress gzip: wall over gzip -d", 0.3, "decompress gzip", "gzip")
    yield Verdict(
        "decompress gzip: CPU over igzip", 1.2, results.ratio("decompress gzip", "sluice", "igzip", "cpu"))
    yield line("decompress bgzip: wall over gzip -d", 0.15, "decompress bgzip", "gzip")
    streams = "decompress 160,000 empty streams of xz"
    yield line(f"{streams}: wall over xz -d", 4, streams, "xz")
    yield Verdict("join: wall over cat", 1.2, results.ratio("join", "sluice", "cat"))
    yield Verdict("copy: wall over mbuffer", 1, results.ratio("copy", "sluice", "mbuffer"))
    yield from memory_verdicts(results)


def memory_verdicts(results):
    two = results.middle("memory -3 -T2", "sluice", "peak")
    yield Verdict("memory -3 -T2: peak", 96, two / MIB if two else None, "MiB")
    for threads in (1, 2, 4, 8, 16, 32, 64):
        case = f"memory -3 -T{threads}"
        peak, context = results.middle(case, "sluice", "peak"), results.middle(case, "limit", "context")
        if peak is None or context is None:
            continue
        yield Verdict(f"{case}: peak within the formula", documented_peak(threads, 3, context) / MIB, peak / MIB, "MiB")


def documented_peak(threads, level, context):
    """24 MiB + slots x (frame + bound) + workers x (context + gather buffer), in bytes."""
    frame = frame_mib(level) * MIB
    bound = frame + frame // 256
    return 24 * MIB + (threads + 2) * (frame + bound) + threads * (context + frame)
