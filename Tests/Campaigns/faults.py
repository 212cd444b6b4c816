"""Each system call of each operation fails, once and from then on, with the errors that it can have.

strace counts first which calls a run makes, and then fails the Nth. It counts in each thread on its own, from the start
of the program: a fault meets the Nth call of every thread that makes so many.

What the dynamic loader does before any code of the command, or of its libraries, is not tried: it ends with the call that
unmaps its cache of libraries. Calls of a name that the loader uses too are failed from there on; those of other threads,
which begin to count at one, by the files that they are about (strace -P).
"""

import os
import random
import re
import signal
from collections import Counter, defaultdict

from operations import operations
from run import Trouble, run

# A call, and what can become of it: an error, or the end of a file that somebody else made shorter. Short writes are real
# ones, to a file that reaches its limit.
ERRORS = {
    "read,pread64,readv,preadv2": "EIO EINTR EAGAIN ENOMEM retval=0",
    "write,pwrite64,writev": "EIO ENOSPC EDQUOT EINTR EAGAIN EPIPE EFBIG",
    "open,openat": "EMFILE ENFILE EACCES EIO ENOMEM EINTR EROFS ENOENT",
    "close": "EIO EINTR ENOSPC EDQUOT",
    "fsync": "EIO ENOSPC EDQUOT EINTR EROFS ENOSYS",
    "syncfs": "EIO ENOSPC EDQUOT EINTR ENOSYS EPERM",
    "sync_file_range": "EIO ENOSPC EINTR ENOSYS ESPIPE",
    "newfstatat,fstat,statx": "EIO ENOMEM EACCES",
    "statfs,fstatfs": "EIO ENOSYS EINTR",
    "linkat": "EIO ENOSPC EDQUOT EROFS EPERM EACCES ENOSYS ENOENT EMLINK EINTR EEXIST",
    "rename,renameat,renameat2": "EIO ENOSPC EDQUOT EROFS EACCES EPERM EINVAL ENOSYS EINTR",
    "unlink,unlinkat": "EIO EROFS EACCES EPERM EBUSY EINTR",
    "fchown,fchmod,utimensat": "EPERM EIO EROFS ENOSYS EOPNOTSUPP EINVAL",
    "flistxattr,fgetxattr,fsetxattr": "EIO EOPNOTSUPP ENOSPC EPERM",
    "ftruncate,fallocate": "ENOSPC EIO EINTR EOPNOTSUPP EFBIG",
    "fadvise64,readahead": "EIO EINVAL ESPIPE",
    "flock": "ENOSYS ENOLCK EINTR",
    "lseek": "ESPIPE EINVAL EIO",
    "fcntl": "EINVAL EIO EMFILE EAGAIN",
    "dup,dup2,dup3,pipe2": "EMFILE ENFILE EINTR",
    "clone,clone3": "EAGAIN ENOMEM EPERM",
    "eventfd2,epoll_create1,timerfd_create,signalfd4": "EMFILE ENFILE ENOMEM",
    "epoll_ctl": "ENOMEM ENOSPC",
    "epoll_wait,epoll_pwait,poll,ppoll": "EINTR",
    "mmap,mprotect,brk,mremap": "ENOMEM",
    "madvise": "ENOMEM EAGAIN EINVAL",
    "getrandom": "EINTR ENOSYS",
    "sched_getaffinity,prlimit64,sysinfo,uname,getrlimit": "ENOSYS EPERM",
    "readlink,readlinkat,access,faccessat": "EACCES EIO ENOENT ENOSYS",
    "ioctl": "EIO ENOTTY EINVAL",
    "setpriority,prctl": "EPERM EINVAL",
}
# Not tried, for they can't fail, or not with an effect: exit, futex (an error of a wake would lose it), gettid, rseq,
# rt_sigaction, rt_sigprocmask, set_robust_list, sigaltstack, and munmap.

PASSING = {"EINTR", "EAGAIN"}
"""Errors that a call has a few times, and not for ever."""

IMPOSSIBLE = [
    # call, error, what it is about, and why no kernel does that
    (r"read|preadv2|pread64", r"retval", r"(pipe|anon_inode):|<(/proc|/sys|/etc|/usr|/dev)/", "only a file is made shorter"),
    (r"read|write|preadv2", r"(?!EINTR|EAGAIN)", r"anon_inode:", "what Dispatch wakes its threads with has no disk"),
    (r"read|pread64|readv|write|pwrite64", r"EAGAIN", r"/", "a file, unless asked with RWF_NOWAIT, makes its caller wait"),
    (r"read", r"EAGAIN", r"pipe:", "a pipe that may block does"),
    (r"write", r"EAGAIN", r"pipe:", "a pipe that may block does"),
    (r"epoll_ctl", r"ENOSPC", r"", "the limit of watches is counted for each user, and not near"),
    (r"fcntl", r"EMFILE", r"F_[GS]ET", "only F_DUPFD makes a descriptor"),
    (r"write", r"EFBIG", r"pipe:|/dev/", "only files have a limit"),
    (r"fcntl", r"EAGAIN|EIO|EINVAL", r"F_GETFL|F_GETFD", "a question about an open descriptor has an answer"),
]

KNOWN = [
    # call, error, how it ends, and why that is accepted
    (r"mmap|mprotect|brk|mremap|madvise", r"ENOMEM", r"SIG(ILL|ABRT|TRAP|SEGV)|hung",
     "Swift and libdispatch end the process where nothing can be allocated: files stay as they were"),
]

LINE = re.compile(r"^(\d+) +(\w+)\((.*)")
RESUMED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)")


def calls(log):
    """The calls of a log of strace -f: thread, name, and everything that the line says after it."""
    unfinished = {}
    for line in log:
        if match := LINE.match(line):
            thread, name, rest = match.groups()
            if "<unfinished ...>" in rest:
                unfinished[thread] = rest
            yield_now = "<unfinished ...>" not in rest
        elif match := RESUMED.match(line):
            thread, name, rest = match.groups()
            rest = unfinished.pop(thread, "") + rest
            yield_now = True
        else:
            continue
        if yield_now:
            yield thread, name, rest


class Campaign:
    """A fault a round, so that each call gets the same attention."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder, self.seed = binary, folder, seed
        self.counts = Counter()
        self.hung = Counter()
        self.place, self.log = os.path.join(folder, "place"), os.path.join(folder, "log")
        text = b" ".join(b"%x" % (number * number * 7919 % 100003) for number in range(500_000))
        # Several chunks of each: what is small shares them.
        self.operations = operations(binary, folder, text, 3_000_000, 1 << 18)
        self.plan = self.made_plan()

    def start(self, operation, *options):
        """Runs an operation under strace."""
        operation.prepare(self.place)
        words = ["strace", "-f", "-y", "-qq", "-o", self.log, *options, self.binary, *operation.words.split()]
        return run(words, self.place, stdin=operation.input(self.place))

    def count(self, operation):
        """How often each call is made: by the loader, then by the main thread, and at most by another."""
        if self.start(operation) is None:
            raise Trouble("hung with nothing done to it", operation.command(self.binary, "strace", "-f"))
        threads, loader, cache = defaultdict(Counter), Counter(), None
        main = None
        with open(self.log, errors="replace") as log:
            for thread, name, rest in calls(log):
                main = main or thread
                threads[thread][name] += 1
                if name == "mmap" and "/etc/ld.so.cache>" in rest:
                    cache = rest.split("=")[-1].strip()
                elif name == "munmap" and cache and rest.startswith(cache):
                    loader, cache = threads[main].copy(), None
        others = Counter()
        for thread, made in threads.items():
            if thread != main:
                others |= made
        return loader, threads[main], others

    def made_plan(self):
        """Every fault, in an order that goes from call to call."""
        chance = random.Random(self.seed)
        by_name = defaultdict(list)
        for number, operation in enumerate(self.operations):
            loader, main, others = self.count(operation)
            for names, errors in ERRORS.items():
                for name in names.split(","):
                    most = max(main[name], others[name])
                    places = [(place, False) for place in range(loader[name] + 1, most + 1)]
                    # Other threads' calls that the loader's count hides, by what they are about.
                    if loader[name] and name not in ("mmap", "mprotect", "brk"):
                        places += [(place, True) for place in range(1, min(others[name], loader[name]) + 1)]
                    for place, is_by_file in places:
                        for error in errors.split():
                            for then_on in (False,) if error in PASSING else (False, True):
                                by_name[name].append((number, name, place, is_by_file, error, then_on))
        for found in by_name.values():
            chance.shuffle(found)
        turns = [(turn / len(found) + chance.random() / 50 if len(found) > 40 else turn / 40, fault)
                 for found in by_name.values() for turn, fault in enumerate(found)]
        return [fault for _, fault in sorted(turns)]

    def fill(self, chance):
        """Limits the size of a file: a write is cut short, and the next one fails."""
        operation, limit = chance.choice(self.operations), chance.choice([1, 4096, chance.randrange(1, 3_000_000)])
        operation.prepare(self.place)
        ended = run([self.binary, *operation.words.split()], self.place, stdin=operation.input(self.place), file_size=limit)
        command = operation.command(self.binary, "prlimit", f"--fsize={limit}")
        operation.judge(ended, self.place, command, " (a file at its limit)", {signal.SIGXFSZ})
        self.counts[f"{ended.how} at a file's limit"] += 1

    def about(self, rest):
        """What a call is about, from what follows its name in the log: the same for all runs."""
        rest = re.sub(r"AT_FDCWD<[^>]*>", "", rest)
        found = re.search(r'<([^>]+)>\(deleted\)|"([^"]+)"|<(?!unfinished)([^>]+)>', rest)
        name = next((group for group in found.groups() if group), "") if found else "nothing with a name"
        name = name.replace(self.place, "FOLDER")
        return re.sub(r"\d+", "N", re.sub(r"\.\w+\.tmp", ".RANDOM.tmp", name)) if "\\" not in name else "bytes"

    def round(self, number, chance):
        """Lets one call fail, or now and then a file reach its limit."""
        if chance.random() < 0.1:
            self.fill(chance)
            return
        which, name, place, is_by_file, error, then_on = self.plan[(number - 1) % len(self.plan)]
        operation = self.operations[which]
        when = f"{place}+" if then_on else f"{place}..{place + 2}" if error in PASSING and place % 2 else str(place)
        if self.hung[name, error] > 2:
            self.counts["left out, for others hung"] += 1
            return
        options = [f"-etrace={name}", f"-einject={name}:{error if '=' in error else 'error=' + error}:when={when}"]
        if is_by_file:
            options += [word for file in operation.before for word in ("-P", file, "-P", os.path.join(self.place, file))]
        ended = self.start(operation, *options)
        met = []
        with open(self.log, errors="replace") as log:
            met = [rest for _, _, rest in calls(log) if "INJECTED" in rest]
        if not met:
            self.counts["not reached"] += 1
            return
        if any(re.match(call, name) and re.match(kind, error) and re.search(object_, rest)
               for call, kind, object_, _ in IMPOSSIBLE for rest in met):
            self.counts["not what a kernel does"] += 1
            return
        signals = {"EPIPE": {signal.SIGPIPE}, "EFBIG": {signal.SIGXFSZ}}.get(error, ())
        command = operation.command(self.binary, "strace", "-f", "-y", "-o", "log", *options)
        try:
            operation.judge(ended, self.place, command, f" ({name}: {error}, {self.about(met[0])})", signals)
        except Trouble as trouble:
            if trouble.kind.startswith("exit 1 without a word") and any(rest.startswith("2<") for rest in met):
                self.counts["could not say why"] += 1
                return
            for call, kind, end, _ in KNOWN:
                if re.match(call, name) and re.match(kind, error) and re.match(end, trouble.kind):
                    self.counts["ended for want of memory"] += 1
                    return
            self.hung[name, error] += ended is None
            raise
        self.counts[ended.how] += 1
