"""Runs the command lines of a table through zstd and through sluice, and compares what they leave.

    command-lines.py [--only WORD] [--zstd] TABLE SLUICE [ZSTD]

--only: the cases whose text has this word, each with what zstd does. --zstd: what zstd does, and no comparison. ZSTD is
another zstd than the one in PATH. The table says what its lines mean.
"""

import argparse
import concurrent.futures
import itertools
import os
import queue
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

LIMIT = 30
"""Seconds after which a command line counts as hung, however busy the machine is."""

NAMES = ["zstd", "zstdmt", "unzstd", "zstdcat", "zcat", "gzcat"]
MARKS = ["setup", "like", "shows", "decode", "talk", "zstd-only", "own-name", "differs", "todo"]
MAGIC = b"\x28\xb5\x2f\xfd"


class Case:
    """A command line of the table, with what is noted below it."""

    def __init__(self, number, line):
        self.number, self.notes = number, {}
        self.fate, _, self.line = line.partition(" ")
        self.line = self.line.strip()

    def note(self, line):
        """Adds an indented line."""
        mark, _, text = line.strip().partition(":")
        if mark not in MARKS or mark in self.notes:
            raise ValueError(f"line {self.number}: {line.strip()}")
        self.notes[mark] = text.strip()

    @property
    def excuse(self):
        """Why it may differ, or None."""
        return self.notes.get("differs") or self.notes.get("todo")


def read_table(path):
    """The cases of a table."""
    cases = []
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            if line[0] == " ":
                cases[-1].note(line)
            else:
                cases.append(Case(number, line))
                if cases[-1].fate not in ("ok", "no"):
                    raise ValueError(f"line {number}: neither ok nor no")
    lines = [(case.line, case.notes.get("setup")) for case in cases]
    twice = {line for line, setup in lines if lines.count((line, setup)) > 1}
    if twice:
        raise ValueError(f"twice in the table: {', '.join(sorted(twice))}")
    return cases


class Place:
    """A folder with the prepared files: one command line after another runs there, and what each changes is undone."""

    def __init__(self, path, template):
        self.path, self.template = path, template
        subprocess.run(["cp", "-a", template.path, path], check=True)
        # By the time of the last change a file is seen to be another: it is used again only when others were used.
        self.marks = {name: mark(about) for name, about in walk(path)}

    def content(self, name, about):
        """That of a file or a link, which is mostly the prepared one."""
        if self.marks.get(name) == mark(about):
            return self.template.contents[name]
        return content(os.path.join(self.path, name), about)

    def restore(self):
        """Makes it what it was."""
        now = {name: mark(about) for name, about in walk(self.path)}
        # What is in a folder goes before the folder.
        for name in sorted(now, reverse=True):
            if now[name] != self.marks.get(name):
                remove = os.rmdir if stat.S_ISDIR(now[name][0]) else os.remove
                if name not in self.marks or remove is os.remove:
                    remove(os.path.join(self.path, name))
        for name in sorted(self.marks):
            if now.get(name) != self.marks[name]:
                self.marks[name] = self.template.copy(name, os.path.join(self.path, name))


class Template:
    """The prepared files."""

    def __init__(self, path):
        self.path = os.fsencode(os.path.abspath(path))
        self.contents = {name: content(os.path.join(self.path, name), about) for name, about in walk(self.path)}

    def copy(self, name, to):
        """Puts a copy of what has the name there; returns its mark."""
        source = os.path.join(self.path, name)
        if stat.S_ISDIR(os.lstat(source).st_mode):
            os.makedirs(to, exist_ok=True)
            shutil.copymode(source, to)
        else:
            shutil.copy2(source, to, follow_symlinks=False)
        return mark(os.lstat(to))


def content(path, about):
    """The bytes of a file, or where a link leads to."""
    if stat.S_ISREG(about.st_mode):
        with open(path, "rb") as file:
            return file.read()
    return os.readlink(path) if stat.S_ISLNK(about.st_mode) else b""


def mark(about):
    """What changes with a file, or of a folder what matters."""
    if stat.S_ISDIR(about.st_mode):
        return (about.st_mode,)
    return about.st_mode, about.st_ino, about.st_nlink, about.st_size, about.st_mtime_ns, about.st_ctime_ns


class Result:
    """What a command line left: its exit code, its standard output, and the files of its place."""

    def __init__(self, place, code, output, messages, began):
        self.code, self.output, self.messages = code, output, messages
        self.files = {}
        for name, about in walk(place.path):
            kind = stat.S_IFMT(about.st_mode)
            # Whether the time is now or that of a source is what matters; links and folders have their own.
            age = int(about.st_mtime) if stat.S_ISREG(kind) and about.st_mtime < began - 60 else None
            mode = None if stat.S_ISLNK(kind) else stat.S_IMODE(about.st_mode)
            self.files[name] = (kind, mode, age, place.content(name, about))

    def is_crash(self):
        """Whether it ended as no program means to."""
        return self.code < 0 or self.code > 125 or b"Fatal error" in self.messages


def walk(folder, prefix=b""):
    """All that is below a folder: its path from there, and what lstat says of it."""
    for entry in os.scandir(folder):
        yield prefix + entry.name, entry.stat(follow_symlinks=False)
        if entry.is_dir(follow_symlinks=False):
            yield from walk(entry.path, prefix + entry.name + b"/")


class Program:
    """One of those that are compared: how it is called in the table's lines, and how it is given data to decode."""

    def __init__(self, called, folder, path, by_own_name=False):
        self.called, self.path = called, path
        self.bin = os.path.join(folder, "bin-" + called.replace(" ", "-"))
        os.mkdir(self.bin)
        for name in NAMES:
            os.symlink(path, os.path.join(self.bin, name))
        # The function stands for the word zstd; the other names are links all the same.
        self.prelude = f"zstd() {{ {shlex.quote(path)} \"$@\"; }}; " if by_own_name else ""

    def run(self, line, place):
        """Runs a line in a place."""
        folder = place.path
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": os.fsdecode(folder), "TZ": "UTC"}
        began = time.time()
        # A process group and no terminal.
        process = subprocess.Popen(
            ["bash", "-o", "pipefail", "-c", f"{self.prelude}{line}"], cwd=folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            output, messages = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, messages = process.communicate()
            return Result(place, -signal.SIGKILL, output, messages + b"\ntimed out", began)
        return Result(place, process.returncode, output, messages, began)

    def decode(self, data, options, folder):
        """What it makes of compressed data, or why it makes nothing."""
        done = subprocess.run(
            [os.path.join(self.bin, "zstd"), "-dcq", "--long=31", *shlex.split(options)], input=data, cwd=folder,
            capture_output=True, timeout=LIMIT)
        return done.stdout if done.returncode == 0 else f"not decoded: {done.stderr.decode(errors='replace')}"


def is_compressed(data):
    """Whether it begins with a frame, also a skippable one."""
    return data[:4] == MAGIC or len(data) > 7 and data[1:4] == b"\x2a\x4d\x18" and data[0] & 0xf0 == 0x50


def header(data):
    """What the first frame's header says (RFC 8878, 3.1.1.1)."""
    while data[:4] != MAGIC and len(data) > 8:
        data = data[8 + int.from_bytes(data[4:8], "little"):]
    if len(data) < 6:
        return {}
    descriptor = data[4]
    is_single, at = descriptor >> 5 & 1, 5
    window = None
    if not is_single:
        exponent, mantissa = data[5] >> 3, data[5] & 7
        window, at = (1 << 10 + exponent) * (8 + mantissa) // 8, 6
    length = (0, 1, 2, 4)[descriptor & 3]
    dictionary, at = int.from_bytes(data[at:at + length], "little"), at + length
    length = (is_single, 2, 4, 8)[descriptor >> 6]
    size = int.from_bytes(data[at:at + length], "little") + (256 if length == 2 else 0) if length else None
    return {"checksum": descriptor >> 2 & 1, "dictID": dictionary, "content-size": size, "window": window or size}


class Comparison:
    """Of what zstd left, and what another did."""

    def __init__(self, case, folder, zstd, other):
        self.case, self.folder, self.zstd, self.other = case, folder, zstd, other
        self.differences = []

    def say(self, sentence):
        """Adds a difference."""
        self.differences.append(sentence)

    def compare(self, theirs, ours, is_own_name):
        """Fills `differences`."""
        if (theirs.code == 0) != (ours.code == 0):
            self.say(f"exit code {ours.code} instead of {theirs.code}")
        for path in sorted(theirs.files.keys() | ours.files.keys()):
            name = repr(path)[2:-1]
            if path not in ours.files:
                self.say(f"{name} is missing")
            elif path not in theirs.files:
                self.say(f"{name} is left")
            else:
                self.compare_file(name, theirs.files[path], ours.files[path])
        if "talk" in self.case.notes or is_own_name and "zstd-only" in self.case.notes:
            if theirs.code == 0 and bool(theirs.output) != bool(ours.output):
                self.say("standard output is empty" if theirs.output else "something on standard output")
        else:
            self.compare_content("standard output", theirs.output, ours.output)
        return self.differences

    def compare_file(self, name, theirs, ours):
        """Kind, mode, time and content."""
        for index, what in enumerate(["kind", "mode", "time"]):
            if theirs[index] != ours[index]:
                self.say(f"{name} has {what} {ours[index]} instead of {theirs[index]} (None: that of now)")
        if isinstance(theirs[3], bytes) and isinstance(ours[3], bytes):
            self.compare_content(name, theirs[3], ours[3])
        elif theirs[3] != ours[3]:
            self.say(f"{name} links to {ours[3]}")

    def compare_content(self, name, theirs, ours):
        """Bytes, or what both make of each other's if they are compressed."""
        if theirs == ours:
            return
        if not (is_compressed(theirs) and is_compressed(ours)):
            self.say(f"{name} has {len(ours)} bytes, {ours[:40]!r}, instead of {len(theirs)}, {theirs[:40]!r}")
            return
        options = self.case.notes.get("decode", "")
        read, wanted = self.zstd.decode(ours, options, self.folder), self.other.decode(theirs, options, self.folder)
        if read != wanted or isinstance(read, str):
            self.say(f"{name}: zstd reads {read[:60]!r} from ours, and we {wanted[:60]!r} from zstd's")
        # A level or a parameter that is not obeyed is seen by the size.
        if abs(len(ours) - len(theirs)) > 40 + len(theirs) / 50:
            self.say(f"{name} has {len(ours)} bytes compressed instead of {len(theirs)}")
        shows = ["checksum", "dictID", *self.case.notes.get("shows", "").split()]
        for what in shows:
            if header(theirs).get(what) != header(ours).get(what):
                self.say(f"{name} has {what} {header(ours).get(what)} instead of {header(theirs).get(what)}")


class Trial:
    """All cases, with the programs."""

    def __init__(self, folder, template, sluice, zstd, is_thorough):
        self.folder, self.template, self.is_thorough = folder, template, is_thorough
        self.free, self.places = queue.SimpleQueue(), itertools.count()
        self.zstd = Program("zstd", folder, zstd)
        self.others = [Program("sluice as zstd", folder, sluice), Program("sluice", folder, sluice, by_own_name=True)]

    def take(self, case):
        """A place that nobody uses, after the case's setup."""
        try:
            place = self.free.get_nowait()
        except queue.Empty:
            place = Place(os.fsencode(os.path.join(self.folder, str(next(self.places)))), self.template)
        setup = case.notes.get("setup")
        if setup and (result := self.zstd.run("set -eu; " + setup, place)).code:
            raise RuntimeError(f"the setup failed: {setup}: {result.messages.decode(errors='replace')}")
        return place

    def give(self, place):
        """Lets others use it, unless something there can't be undone."""
        try:
            place.restore()
            self.free.put(place)
        except OSError:
            shutil.rmtree(place.path, onerror=unlock)

    def run_in_place(self, program, line, case):
        """What a program makes of a line, in a place that it has for itself."""
        place = self.take(case)
        result = program.run(line, place)
        self.give(place)
        return result

    def settle(self, case):
        """As run, once more if it failed: who writes to a pipe whose reader has left dies only if it is slow."""
        verdict = self.run(case)
        return verdict if verdict[0] != "failed" else self.run(case)

    def run(self, case):
        """The verdict (same, differs, todo, or failed), and what there is to say."""
        theirs = self.run_in_place(self.zstd, case.notes.get("like", case.line), case)
        # Where zstd crashes, ours has to end with an error too.
        if theirs.code == -signal.SIGKILL or (case.fate == "ok") != (theirs.code == 0):
            return "failed", [f"zstd ended with {theirs.code}: {theirs.messages.decode(errors='replace').strip()}"]
        said = []
        # Of the lines that are as zstd's a few, always the same ones: little depends on the name.
        share = 4 if os.environ.get("SLUICE_TESTS") == "long" else 8
        is_chosen = self.is_thorough or case.excuse or sum(case.line.encode()) % share == 0
        others = self.others if is_chosen else self.others[:1]
        if "own-name" in case.notes:
            others = self.others[:1]
        for number, other in enumerate(others):
            ours = self.run_in_place(other, case.line, case)
            comparison = Comparison(case, self.template.path, self.zstd, other)
            for each in comparison.compare(theirs, ours, is_own_name=number == 1):
                said.append(f"{other.called}: {each}")
            if said and ours.messages:
                said.append("  it said: " + ours.messages.decode(errors="replace").strip()[:300])
            if ours.is_crash():
                return "failed", said + [f"{other.called} crashed or hung: {ours.code}"]
        if case.excuse:
            if said:
                return "todo" if "todo" in case.notes else "differs", said
            return "failed", [f"there is no difference, take the mark off: {case.excuse}"]
        return ("failed" if said else "same"), said


def unlock(function, path, _):
    """For rmtree: what a case forbade."""
    os.chmod(os.path.dirname(path), 0o755)
    function(path)


def outcome(before, result):
    """What a run did to the prepared files, in a line."""
    changes = ["+" + repr(path)[2:-1] for path in sorted(result.files.keys() - before.keys())]
    changes += ["-" + repr(path)[2:-1] for path in sorted(before.keys() - result.files.keys())]
    both = sorted(before.keys() & result.files.keys())
    changes += ["~" + repr(path)[2:-1] for path in both if before[path][3] != result.files[path][3]]
    said = (result.messages.decode(errors="replace").strip().splitlines() or [""])[-1]
    return f"{result.code} {' '.join(changes)} | {result.output[:60]!r} | {said[-150:]}"


def show(trial, cases):
    """What zstd does, for those who write cases."""
    for case in cases:
        place = trial.take(case)
        template = Result(place, 0, b"", b"", time.time())
        result = trial.zstd.run(case.notes.get("like", case.line), place)
        trial.give(place)
        mark = "" if (case.fate == "ok") == (result.code == 0) else "WRONG "
        print(f"{mark}{case.number}: {case.line}\n    {outcome(template.files, result)}")


def main():
    """Runs the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--zstd", action="store_true")
    parser.add_argument("--template", default="template")
    parser.add_argument("table")
    parser.add_argument("sluice")
    parser.add_argument("zstd_path", nargs="?", default="/usr/bin/zstd")
    words = parser.parse_args()
    os.umask(0o022)
    cases = [case for case in read_table(words.table) if words.only in case.line]
    folder = tempfile.mkdtemp(dir=".")
    trial = Trial(
        os.path.abspath(folder), Template(words.template), os.path.realpath(words.sluice), words.zstd_path,
        is_thorough=bool(words.only))
    if words.zstd:
        show(trial, cases)
        return 0
    counts = {"same": 0, "differs": 0, "todo": 0, "failed": 0}
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        for case, (verdict, said) in zip(cases, pool.map(trial.settle, cases)):
            counts[verdict] += 1
            if verdict == "failed" or words.only:
                print(f"line {case.number}, {verdict}: {case.line}", *said, sep="\n    ")
    shutil.rmtree(folder, onerror=unlock)
    print(f"{len(cases)} command lines: {counts['same']} as zstd, {counts['differs']} that differ as listed, "
          f"{counts['todo']} todo, {counts['failed']} failed")
    return 1 if counts["failed"] else 0


sys.exit(main())
