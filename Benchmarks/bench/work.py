"""The work that is measured: cases, each a list of contestants that do the same."""

import importlib.util
import json
import lzma
import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from corpora import MIB
from measure import Command, Failed, Sample, check_equal

NULL = Path("/dev/null")


def frame_mib(level):
    """MiB of a frame at this level: Sources/ZstdCodec/Library/CompressionOptions.swift."""
    return 4 if level <= 2 else 8 if level <= 4 else 12 if level <= 8 else 24 if level <= 17 else 32


@dataclass
class Case:
    name: str
    contestants: dict  # name: Command
    runs: int
    note: str = ""


class Work:
    """Makes the cases. A case's files are made only when its name matches, so that --only is quick."""

    def __init__(self, corpora, sluice, limit, stages, work, threads, quick, runs):
        self.corpora = corpora
        self.sluice = sluice
        self.limit = limit
        self.stages = stages
        self.work = work
        self.threads = threads
        self.quick = quick
        self.chosen_runs = runs
        self.can_copy = "--copy" in subprocess.run(
            [sluice, "--help"], capture_output=True, text=True, check=True).stdout

    def all(self):
        """Pairs of a name and a function that makes the case."""
        for corpus in ("linux", "toolchain"):
            for level in (1, 3) if self.quick else (1, 3, 6, 9, 12, 19):
                yield f"compress -{level} {corpus}", lambda c=corpus, l=level: self.compress(c, l)
        for corpus in ("random", "zeros"):
            yield f"compress -3 {corpus}", lambda c=corpus: self.compress(c, 3)
        for level in (1, 3, 9):
            yield f"a short run -{level}", lambda l=level: self.short_run(l)
        yield "pipe to pipe -3", self.pipe
        yield "one thread -3", self.one_thread
        for level in (3,) if self.quick else (1, 3, 19):
            yield f"decompress own -{level} to /dev/null", lambda l=level: self.decompress_own(l, NULL)
        yield "decompress own -3 to a file", lambda: self.decompress_own(3, self.work / "plain")
        yield "decompress pzstd -3 to /dev/null", self.decompress_pzstd
        for corpus in ("linux", "toolchain"):
            for level in (3,) if self.quick else (1, 3, 9, 19):
                yield (f"decompress one frame -{level} {corpus}",
                       lambda c=corpus, l=level: self.decompress_single(c, l))
            yield f"decompress one frame of a pipe -3 {corpus}", lambda c=corpus: self.decompress_piped(c)
        for log in (27, 31):
            yield f"decompress one frame --long={log}", lambda l=log: self.decompress_long(l)
        yield "parts of 64 KiB, one after another", self.parts
        yield "a part of half the content", self.half
        yield "a tar with its members -3", self.with_members
        for corpus in ("linux", "log"):
            yield f"whole lines -3 {corpus}", lambda c=corpus: self.with_lines(c)
        yield "with parity -3", self.with_parity
        yield "repair of rotten blocks", self.repair
        yield "list of members", self.list_members
        yield "one member", self.one_member
        if shutil.which("rapidgzip"):
            yield "decompress beside gzip", self.beside_gzip
        yield "decompress gzip", self.one_member_of_gzip
        yield "decompress xz of several blocks", self.blocks_of_xz
        yield "decompress 160,000 empty streams of xz", self.streams_of_xz
        if shutil.which("bgzip"):
            yield "decompress bgzip", self.members_of_bgzip
        yield "test own -3", self.test
        for count in (28_000,) if self.quick else (28_000, 820_000):
            yield f"{count:,} frames of 1 KiB", lambda c=count: self.tiny_frames(c)
        yield "beside the data -3", self.beside_the_data
        yield "--adapt behind a slow reader", self.adapt
        yield "tar -I -3", self.tar
        yield "files of 4 KiB, -3", self.small_files
        yield "files of 4 KiB, -3 with a dictionary", lambda: self.small_files(with_dictionary=True)
        yield "files of 4 KiB with -r, -3", self.folder
        yield "start-up", self.start_up
        yield "a file of 6 bytes", self.tiny_file
        for threads in (1, 2, 8) if self.quick else (1, 2, 4, 8, 16, 32, 64):
            yield f"memory -3 -T{threads}", lambda t=threads: self.memory(t)
        yield "other formats", self.other_formats
        yield "copy", self.copy
        yield "what statistics cost, -1", self.instruments
        yield "what --verify costs, -3", self.verify
        for level in (1, 3):
            yield f"the work of machines, -{level}", lambda l=level: self.machines(l)
        if not self.quick:
            yield "the work of machines, -3, 10.9 GB", lambda: self.machines(3, times=8)
        yield "join", self.join

    # Compression

    def compress(self, corpus, level):
        size, runs = {1: (None, 9), 3: (None, 9), 6: (None, 3), 9: (None, 5), 12: (256, 3), 19: (64, 2)}[level]
        source = self.corpus(corpus, size)
        return Case(f"compress -{level} {corpus}", self.compressors(source, level, self.threads), self.runs(runs),
                    note=f"{source.stat().st_size / 1e6:.0f} MB, file to file")

    def compressors(self, source, level, threads):
        return {
            "limit": self.limit_of(source, level, threads),
            "sluice": self.checked(self.sluice_words(f"-{level}", f"-T{threads}", "-o"), source),
            "sluice --no-sync": self.checked(
                self.sluice_words(f"-{level}", f"-T{threads}", "--no-sync", "-o"), source),
            "zstd": self.checked(["zstd", "-q", "-f", f"-{level}", f"-T{threads}", "-o"], source),
            "pzstd": self.checked(["pzstd", "-q", "-f", f"-{level}", "-p", threads, "-o"], source),
        }

    def short_run(self, level):
        """About half a second at level 1: the start and the end of a run count."""
        source = self.corpus("linux", 572)
        chosen = ("limit", "sluice", "sluice --no-sync", "zstd")
        contestants = self.compressors(source, level, self.threads)
        return Case(f"a short run -{level}", {name: contestants[name] for name in chosen},
                    self.runs(15 if level < 9 else 5), note=f"{source.stat().st_size / 1e6:.0f} MB, file to file")

    def one_thread(self):
        source = self.corpus("linux", 256)
        return Case("one thread -3", self.compressors(source, 3, 1), self.runs(5),
                    note=f"{source.stat().st_size / 1e6:.0f} MB, file to file, -T1")

    def pipe(self):
        source = self.corpus("linux")
        words = {
            "sluice": self.sluice_words("-3", f"-T{self.threads}"),
            "zstd": ["zstd", "-q", "-3", f"-T{self.threads}"],
            "pzstd": ["pzstd", "-q", "-3", "-p", self.threads, "-c"],
        }
        contestants = {"limit": self.limit_of(source, 3, self.threads)}
        for name, command in words.items():
            contestants[name] = self.verified(
                Command(command, source, self.work / f"{name}.zst", through_pipes=True))
        return Case("pipe to pipe -3", contestants, self.runs(7), note="cat | command | cat")

    def memory(self, threads):
        source = self.corpus("linux")
        return Case(f"memory -3 -T{threads}", {
            "limit": self.limit_of(self.corpus("linux", 64), 3, threads),
            "sluice": self.checked(self.sluice_words("-3", f"-T{threads}", "--no-sync", "-o"), source),
            "zstd": self.checked(["zstd", "-q", "-f", "-3", f"-T{threads}", "-o"], source),
        }, 1, note="the limit's line is a part only: for the size of its contexts")

    # Decompression

    def decompress_own(self, level, target):
        source = self.corpus("linux", None if level < 19 else 64)
        packed = self.packed(source, f"own-{level}", self.sluice_words(f"-{level}", "-o"))
        contestants = {"limit": self.limit_of(source, level, self.threads, decompress=True)}
        contestants |= self.decompressors(source, packed, target)
        where = "/dev/null" if target == NULL else "a file"
        return Case(f"decompress own -{level} to {where}", contestants, self.runs(7))

    def decompress_pzstd(self):
        source = self.corpus("linux")
        packed = self.packed(source, "pzstd-3", ["pzstd", "-q", "-f", "-3", "-p", self.threads, "-o"])
        contestants = self.decompressors(source, packed, NULL)
        contestants["pzstd"] = self.checked_output(
            ["pzstd", "-d", "-q", "-p", self.threads, "-c", packed], source, NULL)
        return Case("decompress pzstd -3 to /dev/null", contestants, self.runs(7))

    def decompress_single(self, corpus, level):
        """One frame, as zstd's command makes it of any file."""
        source = self.corpus(corpus, 96 if level == 19 else None)
        packed = self.packed(source, f"single-{level}", ["zstd", "-q", "-f", f"-{level}", f"-T{self.threads}", "-o"])
        contestants = self.decompressors(source, packed, NULL)
        contestants["sluice --single-core-decoding"] = self.checked_output(
            [self.sluice, "-d", "-q", f"-T{self.threads}", "--single-core-decoding", "-c", packed], source, NULL)
        contestants["sluice -t"] = Command([self.sluice, "-t", "-q", f"-T{self.threads}", packed], packed)
        contestants["the two stages alone"] = self.stages_of(packed, "seconds", "-t", self.threads)
        for stage in ("entropy", "execution", "checksum"):
            contestants[f"{stage}, on one core"] = self.stages_of(packed, f"{stage}Seconds", "-s")
        return Case(f"decompress one frame -{level} {corpus}", contestants, self.runs(7),
                    note=f"{source.stat().st_size / 1e6:.0f} MB, to /dev/null")

    def decompress_piped(self, corpus):
        """The same from `cat`."""
        source = self.corpus(corpus)
        packed = self.packed(source, "single-3", ["zstd", "-q", "-f", "-3", f"-T{self.threads}", "-o"])
        return Case(f"decompress one frame of a pipe -3 {corpus}", self.piped(source, packed), self.runs(7),
                    note=f"{source.stat().st_size / 1e6:.0f} MB, cat | command >/dev/null")

    def decompress_long(self, log):
        """Sources and programs one after another, with a window that reaches back to the first."""
        source = self.corpora.joined(self.corpus("linux"), self.corpus("toolchain"))
        long = f"--long={log}"
        packed = self.packed(source, f"single-3{long}", ["zstd", "-q", "-f", "-3", long, f"-T{self.threads}", "-o"])
        contestants = self.decompressors(source, packed, NULL, long)
        contestants |= {f"{name}, from a pipe": command for name, command in self.piped(source, packed, long).items()}
        return Case(f"decompress one frame {long}", contestants, self.runs(5),
                    note=f"{source.stat().st_size / 1e6:.0f} MB, to /dev/null")

    def piped(self, source, packed, *words):
        """From a pipe to /dev/null."""
        ours = [self.sluice, "-d", "-q", f"-T{self.threads}", *words]
        commands = {"sluice": ours, "zstd": ["zstd", "-d", "-q", *words],
                    "sluice --single-core-decoding": [*ours, "--single-core-decoding"]}
        contestants = {}
        for name, command in commands.items():
            contestants[name] = Command(command, packed, NULL, from_pipe=True, through_stdout=True)
            through = ["sh", "-c", 'cat "$0" | "$@"', packed, *command]
            contestants[name].verify = lambda through=through: check_equal(through, source)
        return contestants

    def stages_of(self, packed, field, *words):
        """two_stages, which measures itself."""

        def read_sample(sample, printed):
            return Sample(json.loads(printed)[field])

        return Command([self.stages, *words, packed], packed, read_sample=read_sample)

    def decompressors(self, source, packed, target, *words):
        ours, theirs = [self.sluice, "-d", "-q", f"-T{self.threads}", *words], ["zstd", "-d", "-q", "-f", *words]
        if target == NULL:
            return {
                "sluice": self.checked_output([*ours, "-c", packed], source, target),
                "zstd": self.checked_output([*theirs, "-c", packed], source, target),
            }
        return {
            "sluice": self.checked_output([*ours, packed, "-o", target], source, target),
            "sluice --no-sync": self.checked_output([*ours, "--no-sync", packed, "-o", target], source, target),
            "zstd": self.checked_output([*theirs, packed, "-o", target], source, target),
        }

    def test(self):
        source = self.corpus("linux")
        packed = self.packed(source, "own-3", self.sluice_words("-3", "-o"))
        return Case("test own -3", {
            "limit": self.limit_of(source, 3, self.threads, decompress=True),
            "sluice": Command([self.sluice, "-t", "-q", f"-T{self.threads}", packed], packed),
            "zstd": Command(["zstd", "-t", "-q", packed], packed),
        }, self.runs(7))

    def tiny_frames(self, count):
        """What a frame costs besides its bytes: the order, a write, and what wakes whom."""
        source = self.corpus("toolchain", count >> 10)
        words = [f"-T{self.threads}", "-1", "-B1K"]
        packed = self.packed(source, "tiny", self.sluice_words(*words, "-o"))
        unpack = [self.sluice, "-q", f"-T{self.threads}"]
        to_null = [self.sluice, "-q", "-c", *words, source]
        return Case(f"{count:,} frames of 1 KiB", {
            "sluice": self.checked(self.sluice_words(*words, "--no-sync", "-o"), source),
            "sluice -c, to /dev/null": Command(to_null, source, NULL, through_stdout=True),
            "sluice -c, to a pipe": self.verified(
                Command(self.sluice_words(*words), source, self.work / "tiny.zst", through_pipes=True)),
            "sluice -d": self.checked_output(
                [*unpack, "-f", "-d", "--no-sync", packed, "-o", self.work / "plain"], source, self.work / "plain"),
            "sluice -d -c, to /dev/null": self.checked_output([*unpack, "-d", "-c", packed], source, NULL),
            "sluice -t": Command([*unpack, "-t", packed], packed),
        }, self.runs(5), note=f"{source.stat().st_size / 1e6:.0f} MB")

    def beside_the_data(self):
        """A hash of the content, and a comparison with a file: on threads of their own."""
        source = self.corpus("linux")
        packed = self.packed(source, "own-3", self.sluice_words("-3", "-o"))
        words = [self.sluice, "-q", f"-T{self.threads}"]
        compress = [*words, "--hash", "-3", "-c", source]
        return Case("beside the data -3", {
            "sluice --hash": Command(compress, source, NULL, through_stdout=True),
            "sluice -d --hash": Command([*words, "--hash", "-d", "-c", packed], packed, NULL, through_stdout=True),
            "sluice -t --hash": Command([*words, "--hash", "-t", packed], packed),
            "sluice -t --against": Command([*words, "-t", f"--against={source}", packed], packed),
        }, self.runs(7), note=f"{source.stat().st_size / 1e6:.0f} MB")

    def adapt(self):
        """The reader sets the pace, so the size says which levels were chosen; the gate compares that too."""
        source = self.corpus("toolchain", 96)
        words = self.sluice_words("--adapt=max=9", f"-T{self.threads}")
        command = Command(words, source, self.work / "adapted.zst", through_pipes=True, pace=10 * MIB)
        return Case("--adapt behind a slow reader", {"sluice": self.verified(command)}, self.runs(3),
                    note=f"{source.stat().st_size / 1e6:.0f} MB, cat | sluice | a reader of 10 MiB/s")

    # Parts of a content

    def parts(self):
        """Reads at places that follow no order, all in one call; in a frame of 8 MiB each."""
        source = self.corpus("linux")
        packed = self.packed(source, "own-3", self.sluice_words("-3", "-o"))
        size, count = source.stat().st_size, 50 if self.quick else 1000
        rng = random.Random(1)
        slices = [(rng.randrange(size - 65536), 65536) for _ in range(count)]
        words = [f"--range={place}-{place + 65535}" for place, _ in slices]
        contestants = {
            "sluice": self.sliced([self.sluice, "-q", "-d", f"-T{self.threads}", *words, packed], source, slices),
            "sluice, one thread": self.sliced([self.sluice, "-q", "-d", "-T1", *words, packed], source, slices),
            "sluice, a call for one of them": self.sliced(
                [self.sluice, "-q", "-d", *words[:1], packed], source, slices[:1]),
            "zstd from the start, one of them": self.sliced(
                ["bash", "-c", f"zstd -dcq {packed} | tail -c +{slices[0][0] + 1} | head -c 65536"], source, slices[:1]),
        }
        openers = {"indexed_zstd": ("indexed_zstd.IndexedZstdFile(sys.argv[1])", packed)}
        if can_import("rapidgzip"):
            # With an index, as ours has a table: else it decodes all that lies before.
            opener = f"rapidgzip.open(sys.argv[1], {self.threads}); file.import_index(sys.argv[1] + '.index')"
            openers["rapidgzip"] = opener, self.gzipped(source)
        for module, (opener, file) in openers.items():
            if not can_import(module):
                continue
            script = (f"import sys, {module}\nfile = {opener}\n"
                      "for place in sys.argv[2:]:\n    file.seek(int(place))\n"
                      "    sys.stdout.buffer.write(file.read(65536))\nfile.close()")
            for name, chosen in (module, slices), (f"{module}, a call for one of them", slices[:1]):
                places = [place for place, _ in chosen]
                contestants[name] = self.sliced(["python3", "-c", script, file, *places], source, chosen)
        return Case("parts of 64 KiB, one after another", contestants, self.runs(3), note=f"{count} parts, to a file")

    def beside_gzip(self):
        """What most archives still are, decoded on all cores by the one that can."""
        source = self.corpus("linux")
        packed = self.packed(source, "own-3", self.sluice_words("-3", "-o"))
        zipped = self.gzipped(source)
        return Case("decompress beside gzip", {
            "sluice": self.checked_output([self.sluice, "-d", "-q", "-c", f"-T{self.threads}", packed], source, NULL),
            "rapidgzip": self.checked_output(["rapidgzip", "-d", "-c", "-P", self.threads, zipped], source, NULL),
            "rapidgzip, with an index": self.checked_output(
                ["rapidgzip", "-d", "-c", "-P", self.threads, "--import-index", f"{zipped}.index", zipped], source, NULL),
            "gzip": self.checked_output(["gzip", "-dc", zipped], source, NULL),
        }, self.runs(5), note="the same content, level 3 and gzip's 6, to /dev/null")

    def gzipped(self, source):
        """The same as gzip, made once, with rapidgzip's index beside it."""
        target = self.work / f"{source.name}.gz"
        if not target.exists():
            with open(target, "wb") as file:
                subprocess.run(["pigz", "-p", str(self.threads), "-c", source], stdout=file, check=True)
            subprocess.run(["rapidgzip", "-q", "--export-index", f"{target}.index", target], check=True)
        return target

    def one_member_of_gzip(self):
        """One core decodes it: ours by ISA-L, if that is installed."""
        source = self.corpus("linux", 96 if self.quick else 256)
        packed = self.sized(source, "gzip", ["gzip", "-6", "-c"])
        theirs = [name for name in ("gzip", "igzip") if shutil.which(name)]
        return Case("decompress gzip", {
            "sluice": self.checked_output([self.sluice, "-d", "-q", "-c", packed], source, NULL),
            **{name: self.checked_output([name, "-d", "-c", packed], source, NULL) for name in theirs},
        }, self.runs(7), note=f"{source.stat().st_size / 1e6:.0f} MB, to /dev/null")

    def blocks_of_xz(self):
        source = self.corpus("linux", 96 if self.quick else 256)
        packed = self.sized(source, "xz", ["xz", "-T2", "-1", "--block-size=4MiB", "-c"])
        return self.sized_case("decompress xz of several blocks", source, packed,
                               ["xz", f"-dT{self.threads}", "-c", packed])

    def streams_of_xz(self):
        source, packed = self.work / "empty", self.work / "empty.xz"
        source.write_bytes(b"")
        packed.write_bytes(lzma.compress(b"") * 160_000)
        return self.sized_case("decompress 160,000 empty streams of xz", source, packed, ["xz", "-dc", packed])

    def members_of_bgzip(self):
        source = self.corpus("linux", 96 if self.quick else 256)
        packed = self.sized(source, "bgz", ["bgzip", "-@", self.threads, "-c"])
        return self.sized_case("decompress bgzip", source, packed, ["bgzip", "-d", "-@", self.threads, "-c", packed],
                               ["gzip", "-d", "-c", packed])

    def sized(self, source, suffix, words):
        """A compressed file, made once."""
        target = self.work / f"{source.name}.{suffix}"
        if not target.exists():
            with open(target, "wb") as file:
                subprocess.run([*map(str, words), source], stdout=file, check=True)
        return target

    def sized_case(self, name, source, packed, *theirs):
        ours = [self.sluice, "-d", "-q", "-c"]
        return Case(name, {
            "sluice": self.checked_output([*ours, f"-T{self.threads}", packed], source, NULL),
            "sluice -T1": self.checked_output([*ours, "-T1", packed], source, NULL),
            **{words[0]: self.checked_output(words, source, NULL) for words in theirs},
        }, self.runs(7), note=f"{source.stat().st_size / 1e6:.0f} MB, to /dev/null")

    def half(self):
        source = self.corpus("linux")
        packed = self.packed(source, "own-3", self.sluice_words("-3", "-o"))
        size = source.stat().st_size
        words = [f"--offset={size // 4}", f"--length={size // 2}", packed]
        slices = [(size // 4, size // 2)]
        return Case("a part of half the content", {
            "sluice": self.sliced([self.sluice, "-q", "-d", f"-T{self.threads}", *words], source, slices),
            "sluice, one thread": self.sliced([self.sluice, "-q", "-d", "-T1", *words], source, slices),
            "zstd from the start": self.sliced(
                ["bash", "-c", f"zstd -dcq {packed} | tail -c +{size // 4 + 1} | head -c {size // 2}"], source, slices),
        }, self.runs(5), note="from a quarter on, to a file")

    # Members of a tar

    def with_members(self):
        source = self.corpus("linux")
        words = [self.sluice, "-q", "-c", "-3", f"-T{self.threads}", source]
        return Case("a tar with its members -3", {
            "sluice --members": Command([*words, "--members"], source, NULL, through_stdout=True),
            "sluice": Command(words, source, NULL, through_stdout=True),
        }, self.runs(9), note="to /dev/null")

    def with_lines(self, corpus):
        source = self.corpus(corpus)
        words = ("-3", f"-T{self.threads}", "--no-sync")
        return Case(f"whole lines -3 {corpus}", {
            "sluice --lines": self.checked(self.sluice_words(*words, "--lines", "-o"), source),
            "sluice": self.checked(self.sluice_words(*words, "-o"), source),
        }, self.runs(9), note=f"{source.stat().st_size / 1e6:.0f} MB, file to file")

    def with_parity(self):
        source = self.corpus("linux")
        words = [self.sluice, "-q", "-c", "-3", f"-T{self.threads}", source]
        return Case("with parity -3", {
            "sluice --parity": Command([*words, "--parity=5%"], source, NULL, through_stdout=True),
            "sluice": Command(words, source, NULL, through_stdout=True),
        }, self.runs(9), note="to /dev/null")

    def repair(self):
        """One block in a hundred is rotten: of 64 KiB, or of 16 KiB in the first 240 MB."""
        source = self.corpus("linux")
        whole = self.packed(source, "parity-3", self.sluice_words("-3", "--parity=5%", "-o"))
        rotten = self.work / f"{source.name}.rotten"
        data = bytearray(whole.read_bytes())
        for at in range(5000, len(data) * 19 // 20, 100 * (16 << 10)):
            data[at] ^= 1
        rotten.write_bytes(data)
        target = self.work / "repaired.zst"
        words = [self.sluice, "-q", "-f", "--no-sync", "--repair", rotten, "-o", target]
        contestants = {
            "sluice --repair": self.checked_output(words, whole, target),
            "sluice -t": Command([self.sluice, "-t", "-q", f"-T{self.threads}", whole], whole),
        }
        if shutil.which("par2"):
            words = ["sh", "-c", 'rm -f "$1"*; exec par2 c -q -q -r5 "$1" "$2"', "par2", self.work / "par2.par2", whole]
            contestants["par2create -r5"] = Command(words, whole)
        return Case("repair of rotten blocks", contestants, self.runs(5))

    def list_members(self):
        """The first list of a file without an index is a pass over it."""
        source = self.corpus("linux")
        indexed = self.packed(source, "members-3", self.sluice_words("-3", "--members", "-o"))
        packed = self.packed(source, "own-3", self.sluice_words("-3", "-o"))
        words = [self.sluice, "-l", "-q", f"-T{self.threads}", "--members"]
        contestants = {
            "sluice": Command([*words, indexed], indexed, NULL),
            "sluice, without an index": Command([*words, packed], packed, NULL),
            "sluice -t": Command([self.sluice, "-t", "-q", f"-T{self.threads}", packed], packed),
            "tar -tvf of the .tar.zst": Command(["tar", "-I", "zstd", "-tvf", packed], packed, NULL),
        }
        if shutil.which("pixz"):
            pixed = self.sized(source, "tpxz", ["sh", "-c", 'exec pixz -1 <"$1"', "pixz"])
            contestants["pixz -l"] = Command(["pixz", "-l", pixed], pixed, NULL)
        if shutil.which("ratarmount"):
            contestants["ratarmount, without an index"] = Command(
                ["ratarmount", "-c", "--no-mount", "--index-file", self.work / "first.sqlite", packed], packed, NULL)
        return Case("list of members", contestants, self.runs(7))

    def one_member(self):
        """Files from all parts of the archive, in a call each: a frame is decoded up to where its member ends."""
        source = self.corpus("linux")
        indexed = self.packed(source, "members-3", self.sluice_words("-3", "--members", "-o"))
        lines = subprocess.run([self.sluice, "-lq", "--members", "--json", indexed], stdout=subprocess.PIPE, check=True)
        members = [json.loads(line) for line in lines.stdout.splitlines()]
        count = 16
        chosen = [
            next(one for one in members[len(members) * (2 * part + 1) // (2 * count):]
                 if one["type"] == "file" and one["bytes"] > 10000)
            for part in range(count)
        ]
        names = [one["name"] for one in chosen]
        slices = [(one["dataOffset"], one["bytes"]) for one in chosen]

        def each(script, *words):
            """Calls the script for each name, with the words as $w1 and so on, and the name as $name."""
            words = [str(word) for word in words]
            shifted = "".join(f"w{number}=$1; shift; " for number in range(1, len(words) + 1))
            return ["sh", "-c", f"{shifted}for name do {script}; done", "sh", *words, *names]

        contestants = {
            "sluice": self.sliced(each('"$w1" -dq --member="$name" "$w2"', self.sluice, indexed), source, slices),
            "tar -xf of the .tar.zst": self.sliced(
                each('tar -I zstd --occurrence=1 -xOf "$w1" "$name"', indexed), source, slices),
        }
        if shutil.which("pixz"):
            pixed = self.sized(source, "tpxz", ["sh", "-c", 'exec pixz -1 <"$1"', "pixz"])
            contestants["pixz -x"] = self.sliced(each('pixz -x "$name" <"$w1" | tar -xO', pixed), source, slices)
        if shutil.which("ratarmount"):
            database, folder = self.work / "ratarmount.sqlite", self.work / "mounted"
            subprocess.run(
                ["ratarmount", "--no-mount", "--index-file", database, indexed], check=True, stdout=subprocess.DEVNULL)
            folder.mkdir(exist_ok=True)
            mount = 'ratarmount --index-file "$w1" "$w2" "$w3" >"$w3.log" && cat "$w3/$name" && ratarmount -u "$w3"'
            contestants["ratarmount with its index"] = self.sliced(
                each(mount, database, indexed, folder), source, slices)
        contestants["a start"] = Command(each('"$w1" --version', self.sluice), None, NULL)
        return Case("one member", contestants, self.runs(9), note=f"{count} of them, one after the other, to a file")

    def sliced(self, words, source, slices):
        """Writes slices of the source, each a place and a number of bytes."""
        output = self.work / "part"

        def verify():
            with open(source, "rb") as whole, open(output, "rb") as part:
                for place, count in slices:
                    whole.seek(place)
                    for piece in range(0, count, MIB):
                        size = min(MIB, count - piece)
                        if whole.read(size) != part.read(size):
                            raise Failed(f"the part at {place} is not what is there")
                if part.read(1):
                    raise Failed("there is more than the parts")

        return Command(words, source, output, through_stdout=True, verify=verify)

    # Other ways to be called

    def tar(self):
        folder = self.corpora.tree()
        contestants = {}
        for name, program in {
            "sluice": f"{self.sluice} -q -3 -T{self.threads}", "zstd": f"zstd -q -3 -T{self.threads}",
        }.items():
            output = self.work / f"{name}.tar.zst"
            contestants[name] = Command(
                ["tar", "-I", program, "-cf", output, "-C", folder, "."], output=output,
                verify=lambda o=output: check_tree(o, folder))
        return Case("tar -I -3", contestants, self.runs(5), note="compress a folder; tar itself takes most of it")

    def small_files(self, with_dictionary=False):
        name = "files of 4 KiB, -3" + (" with a dictionary" if with_dictionary else "")
        return self.files_of_4k(name, "in one call", lambda names: names, with_dictionary)

    def folder(self):
        return self.files_of_4k("files of 4 KiB with -r, -3", "in a folder", lambda _: ["-r", "."])

    def files_of_4k(self, name, where, operands, with_dictionary=False):
        count = 1000 if self.quick else 10000
        folder = self.corpora.small_files(count, 4096)
        self.corpora.settle()
        names = [f"{index:05}" for index in range(count)]
        options = ["-D", self.dictionary(folder, names)] if with_dictionary else []
        contestants = {}
        for contestant, words in {
            "sluice": self.sluice_words("-3", f"-T{self.threads}"),
            "sluice --no-sync": self.sluice_words("-3", f"-T{self.threads}", "--no-sync"),
            "zstd": ["zstd", "-q", "-f", "-3", f"-T{self.threads}"],
        }.items():
            contestants[contestant] = Command(
                [*words, *options, *operands(names)], folder=folder, prepare=lambda: put_aside(folder, self.work),
                verify=lambda: check_small_files(folder, names, options))
        return Case(name, contestants, self.runs(9), note=f"{count} files {where}")

    def dictionary(self, folder, names):
        """Of the first thousand of the files."""
        path = self.work / "dictionary"
        subprocess.run(["zstd", "-q", "-f", "--train", *names[:1000], "-o", path], cwd=folder, check=True)
        return path

    def start_up(self):
        return Case("start-up", {
            "sluice": Command([self.sluice, "--version"]), "zstd": Command(["zstd", "--version"]),
        }, 40 if self.quick else 100, note="--version")

    def tiny_file(self):
        source = self.work / "tiny"
        source.write_bytes(b"hello\n")
        contestants = {}
        for name, words in {
            "sluice": [self.sluice, "-q"], "sluice --no-sync": [self.sluice, "-q", "--no-sync"], "zstd": ["zstd", "-q"],
        }.items():
            output = self.work / "tiny.zst"
            contestants[name] = Command(
                [*words, source, "-o", output], source, output,
                verify=lambda: check_equal(["zstd", "-dc", self.work / "tiny.zst"], source))
        return Case("a file of 6 bytes", contestants, 40 if self.quick else 100, note="file to file")

    def other_formats(self):
        source = self.corpus("linux", 32 if self.quick else 256)
        contestants = {"sluice": self.checked(self.sluice_words("-3", f"-T{self.threads}", "-o"), source)}
        for name, words, undo in (
            ("pigz", ["pigz", "-p", self.threads, "-c", source], ["pigz", "-dc"]),
            ("lbzip2", ["lbzip2", "-n", self.threads, "-c", source], ["lbzip2", "-dc"]),
            ("pixz -1", ["pixz", "-t", "-1", "-p", self.threads], ["pixz", "-d", "-i"]),
        ):
            output = self.work / name.replace(" ", "")
            contestants[name] = Command(
                words, source, output, through_stdout=True, through_stdin=name.startswith("pixz"),
                verify=lambda u=undo, o=output: check_equal([*u, o], source))
        return Case("other formats", contestants, self.runs(3), note=f"{source.stat().st_size / 1e6:.0f} MB")

    def copy(self):
        source = self.corpus("linux")
        words = {"cat": ["cat"], "pv": ["pv", "-q"], "mbuffer": ["mbuffer", "-q"]}
        if self.can_copy:
            words["sluice"] = [self.sluice, "-q", "--copy"]
        contestants = {}
        for name, command in words.items():
            output = self.work / f"{name}.copy"
            contestants[name] = Command(
                command, source, output, through_pipes=True,
                verify=lambda o=output: check_equal(["cat", o], source))
        return Case("copy", contestants, self.runs(5), note="cat | command | cat, nothing compressed")

    def instruments(self):
        source = self.corpus("linux")
        plain = [self.sluice, "-q", "-f", "-1", f"-T{self.threads}", "-c"]
        contestants = {}
        for name, words in {
            "sluice": [], "sluice --stats-file": [f"--stats-file={self.work / 'stats.json'}"],
            "sluice --trace": [f"--trace={self.work / 'trace.json'}"],
        }.items():
            contestants[name] = Command(
                [*plain, *words, source], source, NULL, through_stdout=True,
                verify=lambda w=words: check_equal(
                    ["bash", "-c", '"$@" | zstd -dcq', "bash", *plain, *w, source], source))
        return Case("what statistics cost, -1", contestants, self.runs(15), note="file to /dev/null")

    def verify(self):
        source = self.corpus("linux")
        return Case("what --verify costs, -3", {
            "sluice": self.checked(self.sluice_words("-3", f"-T{self.threads}", "-o"), source),
            "sluice --verify": self.checked(self.sluice_words("-3", f"-T{self.threads}", "--verify", "-o"), source),
            "zstd, and zstd -t": self.checked(
                ["bash", "-c", f'zstd -q -f -3 -T{self.threads} -o "$0" "$1" && zstd -qt "$0"'], source),
        }, self.runs(5), note="every frame is decompressed and compared before it is written")

    def machines(self, level, times=1):
        """A file in one run, and in parts, one after another: what counts is the CPU time of all of them."""
        source = self.corpora.linux_many(times) if times > 1 else self.corpus("linux")
        words = [f"-{level}", "-T1", "--no-sync"]
        contestants = {"sluice": self.checked(self.sluice_words(*words, "-o"), source)}
        for count in (4, 16):
            contestants[f"sluice, {count} parts"] = Command(
                ["sh", "-c", 'count=$1; shift; for part in $(seq "$count"); do "$0" -q -f "$@" --part="$part/$count" -o part; done',
                 self.sluice, str(count), *words, source], source, self.work / "part", folder=self.work)
        size = f", {source.stat().st_size / 1e9:.1f} GB" if times > 1 else ""
        return Case(f"the work of machines, -{level}{size}", contestants, self.runs(5 if times == 1 else 3),
                    note="CPU time, -T1")

    def join(self):
        source, parts = self.corpus("linux"), []
        for number in range(1, 17):
            parts.append(self.work / f"joined.{number:02}")
            subprocess.run(
                [self.sluice, "-q", "-f", "-3", f"--part={number}/16", source, "-o", parts[-1]], check=True)
        joined = self.work / "joined"
        words = [self.sluice, "-q", "-f", "--join", "--no-sync"]
        return Case("join", {
            "sluice": Command([*words, *parts, "-o", joined], None, joined),
            "sluice --verify": Command([*words, "--verify", *parts, "-o", joined], None, joined),
            "cat": Command(["sh", "-c", 'exec cat "$@" >joined', "cat", *parts], None, joined, folder=self.work),
        }, self.runs(9), note="16 parts of level 3, in the page cache")

    # Parts

    def runs(self, standard):
        return self.chosen_runs or (min(3, standard) if self.quick else standard)

    def corpus(self, name, mib=None):
        """A corpus, or its first MiB."""
        if self.quick:
            mib = min(mib or 96, 96)
        size = mib * MIB if mib else None
        if name == "log":
            return self.corpora.log(size)
        if name == "random":
            return self.corpora.random(size or 256 * MIB)
        if name == "zeros":
            return self.corpora.zeros(size or 1024 * MIB)
        return self.corpora.linux(size) if name == "linux" else self.corpora.toolchain_tar(size)

    def sluice_words(self, *options):
        return [self.sluice, "-q", "-f", *options]

    def checked(self, words, source):
        """A compression of `source`, whose name follows the output's."""
        target = self.work / "packed.zst"
        return self.verified(Command([*words, target, source], source, target))

    def verified(self, command):
        command.verify = lambda: check_equal(["zstd", "-dcq", "--long=31", command.output], command.source)
        return command

    def checked_output(self, words, source, target):
        command = Command(words, source, target, through_stdout=target == NULL)
        if target == NULL:
            # Nothing is left to compare: the same command is run again for that.
            command.verify = lambda: check_equal(words, source)
        else:
            command.verify = lambda: check_equal(["cat", target], source)
        return command

    def packed(self, source, name, words):
        """A compressed form of `source` to decompress, made once."""
        target = self.work / f"{name}-{source.name}.zst"
        if not target.exists():
            subprocess.run([str(word) for word in [*words, target, source]], check=True)
            check_equal(["zstd", "-dcq", "--long=31", target], source)
        return target

    def limit_of(self, source, level, threads, decompress=False):
        """zstd_limit with the frames of sluice; it measures itself, without any reading or writing."""

        def read_sample(sample, printed):
            figures = json.loads(printed)
            kind = "decompress" if decompress else "compress"
            result = Sample(figures[f"{kind}Seconds"], figures[f"{kind}CPU"], 0, 0, figures["compressed"])
            result.context = figures["contextBytes"]
            return result

        return Command([self.limit, source, level, threads, frame_mib(level)], source, read_sample=read_sample)


def can_import(module):
    """Whether this Python, which the measured script is run with too, has a module that may not be installed."""
    return importlib.util.find_spec(module) is not None


def check_tree(archive, folder):
    """Raises Failed unless the archive holds the folder as it is."""
    command = f"zstd -dcq '{archive}' | tar -df - -C '{folder}'"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Failed(f"{archive.name} is not what went in: {(result.stdout + result.stderr)[-300:]}")


def put_aside(folder, work):
    """Moves compressed files away. Were they removed, ext4 would look each of their inodes over for each new file."""
    aside = work / f"aside-{len(list(work.glob('aside-*')))}"
    aside.mkdir()
    for file in folder.glob("*.zst"):
        file.rename(aside / file.name)


def check_small_files(folder, names, options=()):
    """Raises Failed unless zstd gets every file back from its compressed form."""
    missing = [name for name in names if not (folder / f"{name}.zst").exists()]
    if missing:
        raise Failed(f"{missing[0]}.zst was not made")
    # Within the folder the names are short enough for one call.
    command = "set -o pipefail; zstd -dcq \"$@\" ?????.zst | cmp - <(cat ?????)"
    result = subprocess.run(
        ["bash", "-c", command, "bash", *options], cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Failed(f"the files of {folder.name} are not what went in: {result.stdout}{result.stderr}")
