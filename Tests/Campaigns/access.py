"""Sources and folders with random modes and access control lists: whoever may not read the source can't read the output."""

import os
import struct
from collections import Counter

from run import Trouble, run, succeed

USERS, GROUPS = (1001, 1002, 1003), (2001, 2002, 2003)


def access_list(chance):
    """A list with random entries, as the attribute has it."""
    entries = [(0x01, None)] + [(0x02, user) for user in USERS if chance.random() < 0.5] + [(0x04, None)]
    entries += [(0x08, group) for group in GROUPS if chance.random() < 0.5]
    if len(entries) > 2 or chance.random() < 0.5:
        entries.append((0x10, None))
    entries.append((0x20, None))
    return struct.pack("<I", 2) + b"".join(
        struct.pack("<HHI", tag, chance.randrange(8), 0xFFFFFFFF if name is None else name) for tag, name in entries)


def readers(path, owner):
    """Who may read a file, of all users in all groups, but its owner."""
    able = set()
    for user in USERS:
        for group in GROUPS if user != owner else ():
            child = os.fork()
            if child == 0:
                try:
                    os.setgroups([])
                    os.setgid(group)
                    os.setuid(user)
                    os.close(os.open(path, os.O_RDONLY))
                    os._exit(0)
                except OSError:
                    os._exit(1)
            if os.waitpid(child, 0)[1] == 0:
                able.add((user, group))
    return able


class Campaign:
    """A source and a folder a round."""

    def __init__(self, binary, folder, seed):
        if os.geteuid() != 0:
            raise SystemExit("campaign: access needs root")
        self.binary, self.folder = binary, folder
        self.counts = Counter()
        os.chmod(folder, 0o711)
        self.out = os.path.join(folder, "out")
        os.mkdir(self.out)
        self.plain, self.packed = os.path.join(folder, "plain"), os.path.join(folder, "packed.zst")
        with open(self.plain, "wb") as file:
            file.write(b"content")
        succeed([binary, "-q", "plain", "-o", "packed.zst"], folder)

    def round(self, number, chance):
        """Gives a source and a folder what chance says, and looks who may read the output."""
        source = chance.choice([self.plain, self.packed])
        owner = chance.choice(USERS + (0,))
        os.chown(source, owner, chance.choice(GROUPS))
        for name in os.listxattr(source):
            os.removexattr(source, name)
        os.chmod(source, chance.randrange(0o1000))
        if chance.random() < 0.5:
            os.setxattr(source, "system.posix_acl_access", access_list(chance))
        if "system.posix_acl_default" in os.listxattr(self.out):
            os.removexattr(self.out, "system.posix_acl_default")
        os.chown(self.out, 0, chance.choice(GROUPS))
        os.chmod(self.out, chance.choice([0o777, 0o2777, 0o755]))
        if chance.random() < 0.7:
            os.setxattr(self.out, "system.posix_acl_default", access_list(chance))
        words = [chance.choice(["-q", "-v"]), "-f", "--no-sync"] + (["-d"] if source == self.packed else [])
        words += chance.choice([["-o", "out/made"], ["--output-dir-flat", "out"], ["--output-dir-mirror", "out"]])
        words.append(os.path.basename(source))
        command = " ".join(["sluice"] + words)
        ended = run([self.binary] + words, self.folder)
        if ended is None or ended.code != 0:
            raise Trouble("not done", command, ended.messages if ended else "")
        made = [os.path.join(self.out, name) for name in os.listdir(self.out)]
        more = set().union(*(readers(path, owner) for path in made)) - readers(source, owner)
        for path in made:
            os.remove(path)
        if more:
            raise Trouble("readable by more than its source", command, f"by {sorted(more)}")
        self.counts["with a list" if os.listxattr(source) else "without a list"] += 1
