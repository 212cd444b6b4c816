"""What is done to files in the campaigns of faults and signals, and whether it was done right."""

import os
import re
import shlex
import shutil
from dataclasses import dataclass, field

from run import Trouble, piped, run, succeed

TEMPORARY = re.compile(r"\..*\.tmp")


@dataclass
class Operation:
    """One way to call the command, with the files that it finds and those that it leaves."""

    words: str
    before: dict
    """Files and their bytes, sources and old outputs."""
    stdin: str = None
    """The file that comes through a pipe."""
    side: set = field(default_factory=set)
    """Files about the run: any bytes may be in them."""
    pairs: dict = field(default_factory=dict)
    """Sources that go, with the output that has to be there instead."""
    after: dict = None
    """What the files are after a run in which nothing went wrong."""
    output: bytes = b""
    """What that run writes to its standard output."""

    def prepare(self, folder):
        """Makes the folder anew, with nothing in it but what was there before."""
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        for name, data in self.before.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)

    def input(self, folder):
        """Its standard input."""
        return piped(os.path.join(folder, self.stdin)) if self.stdin else None

    def learn(self, binary, folder, plain):
        """Runs it once, undisturbed, and keeps what it makes, if zstd too makes `plain` of that."""
        self.prepare(folder)
        self.output = succeed([binary, *self.words.split()], folder, stdin=self.input(folder))
        self.after = {name: data for name, data in files(folder).items() if name not in self.side}
        for data in [self.output, *(data for name, data in self.after.items() if name not in self.before)]:
            if data.startswith(b"\x28\xb5\x2f\xfd"):
                with open(os.path.join(folder, "made"), "wb") as file:
                    file.write(data)
                data = succeed(["zstd", "-dcq", "made"], folder)
            if data and data not in plain and "-l" not in self.words.split():
                raise SystemExit(f"campaign: {self.words}: wrong bytes, though nothing was done to it")
        self.pairs = {name: output for name, output in self.pairs.items() if name not in self.after}

    def command(self, binary, *before):
        """As a shell takes it."""
        came = f"cat {self.stdin} | " if self.stdin else ""
        return came + shlex.join([*before, binary, *self.words.split()])

    def judge(self, ended, folder, command, why, signals=(), may_leave=False):
        """Raises trouble if a run kept what it must not, or lost what it must keep.

        `why` says what was done to the run, and `signals` by which ones it may have ended; `may_leave` allows temporary
        files: nobody can remove them after KILL.
        """

        def trouble(what):
            raise Trouble(f"{what}{why}", command, ended.messages.decode(errors="replace") if ended else "")

        if ended is None:
            trouble("hung")
        now = {name: data for name, data in files(folder).items() if name not in self.side}
        if ended.code == 0:
            if now != self.after:
                trouble("exit 0 with other files than it should leave")
            if ended.output != self.output:
                trouble("exit 0 with other bytes on standard output")
            return
        for name, data in now.items():
            if TEMPORARY.fullmatch(name):
                if not may_leave:
                    trouble(f"{ended.how} and a temporary file is left")
            elif data not in (self.before.get(name), self.after.get(name)):
                trouble(f"{ended.how} and a file is neither what it was nor what it should be")
        for name in self.before:
            if name not in now and (name not in self.pairs or now.get(self.pairs[name]) != self.after[self.pairs[name]]):
                trouble(f"{ended.how} and a file is gone")
        if not self.output.startswith(ended.output):
            trouble(f"{ended.how} and standard output is not a beginning of the right bytes")
        if ended.is_crash or ended.code > 1 or (ended.code < 0 and -ended.code not in signals):
            trouble(ended.how)
        if ended.code == 1:
            lines = ended.messages.decode(errors="replace").splitlines()
            if not lines:
                trouble("exit 1 without a word")
            # strace's own complaints are not the command's.
            strange = [line for line in lines if not line.startswith(("sluice: ", "strace: "))]
            if strange:
                trouble("a message without the program's name")


def files(folder):
    """The bytes of every file in a folder."""
    found = {}
    for entry in os.scandir(folder):
        with open(entry.path, "rb") as file:
            found[entry.name] = file.read()
    return found


def operations(binary, folder, text, size, frame):
    """All of them: with sources of `size` bytes of `text`, in frames of `frame` bytes, and a dozen small files."""
    plain = text[:size]
    small = {f"s{index}": text[index * 997 : index * 3001] for index in range(12)}
    scratch = os.path.join(folder, "scratch")
    shutil.rmtree(scratch, ignore_errors=True)
    os.mkdir(scratch)
    with open(os.path.join(scratch, "plain"), "wb") as file:
        file.write(plain)
    packed = succeed([binary, "-qc", f"-B{frame}", "plain"], scratch)
    single = succeed([binary, "-qc", "--single-frame", "plain"], scratch)
    packed_small = {}
    for name, data in small.items():
        with open(os.path.join(scratch, name), "wb") as file:
            file.write(data)
        packed_small[f"{name}.zst"] = succeed([binary, "-qc", name], scratch)
    names, packed_names = " ".join(small), " ".join(packed_small)
    to_packed = {name: f"{name}.zst" for name in small}
    old = b"an old output\n"
    source, both = {"a": plain}, {"a": plain, "out": old}
    found = [
        Operation(f"-q -T2 -B{frame} a", source),
        Operation(f"-q -f -T2 -B{frame} a -o out", both),
        Operation(f"-q --rm -f -T2 -B{frame} a", {**source, "a.zst": old}, pairs={"a": "a.zst"}),
        Operation(f"-q --no-sync -T2 -B{frame} a", source),
        Operation("-q --single-frame -T2 a -o out -f", both),
        Operation("-q -T2 -d p.zst", {"p.zst": packed}),
        Operation("-q -T2 -d -f --rm p.zst -o out", {"p.zst": packed, "out": old}, pairs={"p.zst": "out"}),
        Operation("-q -T2 -dc p.zst", {"p.zst": packed}),
        Operation("-q -T2 -d single.zst", {"single.zst": single}),
        Operation("-q -T2 -t p.zst", {"p.zst": packed}),
        Operation("-q -l p.zst", {"p.zst": packed}),
        Operation(f"-q -f --rm {names}", {**small, "s3.zst": old}, pairs=to_packed),
        Operation(f"-q {names}", small),
        Operation(f"-q -d -f --rm {packed_names}", {**packed_small, "s5": old},
                  pairs={output: name for name, output in to_packed.items()}),
        Operation(f"-q -t {packed_names}", packed_small),
        Operation(f"-q -T2 -B{frame}", source, stdin="a"),
        Operation(f"-q -T2 -B{frame} -f -o out", both, stdin="a"),
        Operation("-q -T2 -d", {"p.zst": packed}, stdin="p.zst"),
        Operation("-q -T2 -t", {"p.zst": packed}, stdin="p.zst"),
        Operation("-q -dcf a", source),
        Operation("-q --copy a -f -o out", both),
        Operation("-q --copy", source, stdin="a"),
        Operation(f"-q -T2 -B{frame} --stats-file=json --trace=trace --report=html a", source,
                  side={"json", "trace", "html"}),
        Operation(f"-q -T2 -B{frame} --buffer=4M --buffer-start=50 a", source),
    ]
    for operation in found:
        operation.learn(binary, scratch, plain + b"".join(small.values()))
    return found
