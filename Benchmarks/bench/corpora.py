"""The data that is measured with, kept in a cache folder: real text, real binaries, random bytes and zeros."""

import os
import shlex
import shutil
import subprocess
import tarfile
import time
from pathlib import Path

MIB = 1 << 20


class Corpora:
    def __init__(self, folder, toolchain, say):
        self.folder = folder
        self.toolchain = Path(toolchain)
        self.say = say
        folder.mkdir(parents=True, exist_ok=True)

    def linux(self, size=None):
        """The sources of Linux 6.1 as a tar of 1.3 GB: text."""
        archive = Path("/usr/src/linux-source-6.1.tar.xz")
        return self._make("linux.tar", size, f"xz -T0 -dc {archive}")

    def linux_many(self, times):
        """The same so many times, one after another: what is worth more than one machine."""
        return self._make(f"linux-{times}.tar", None, f"cat {' '.join([shlex.quote(str(self.linux()))] * times)}")

    def toolchain_tar(self, size=None):
        """The bin folder of the Swift toolchain as a tar: binaries."""
        return self._make("toolchain.tar", size, f"tar --sort=name -cf - -C '{self.toolchain}' .")

    def joined(self, *paths):
        """Corpora, one after another."""
        words = " ".join(shlex.quote(str(path)) for path in paths)
        return self._make("+".join(path.name for path in paths), None, f"cat {words}")

    def log(self, size=None):
        """A log of a web server, made up: 2 GB of lines of 80 to 300 bytes."""
        program = (
            "import random, sys; numbers = random.Random(1); pages = ['/' + '/'.join('%x' % numbers.getrandbits(24) "
            "for _ in range(numbers.randrange(1, 20))) for _ in range(5000)]\n"
            "for n in range(12000000): print('10.%d.%d.%d - - [27/Nov/2026:%02d:%02d:%02d +0000] \"GET %s HTTP/1.1\" 200 %d' % "
            "(n % 7, numbers.randrange(256), numbers.randrange(256), n // 500000, n // 9000 % 60, n // 150 % 60, "
            "pages[int(5000 * numbers.random() ** 3)], numbers.randrange(1 << 20)))")
        return self._make("log", size or 2000000000, f"/usr/bin/python3 -c {shlex.quote(program)}")

    def random(self, size):
        return self._make("random", size, f"head -c {size} /dev/urandom")

    def zeros(self, size):
        return self._make("zeros", size, f"head -c {size} /dev/zero")

    def small_files(self, count, size):
        """A folder of files cut from the text."""
        folder = self.folder / f"files-{count}-{size}"
        if not folder.is_dir():
            self.say(f"making {count} files of {size} bytes")
            temporary = self._fresh_folder(folder)
            with open(self.linux(count * size), "rb") as source:
                for index in range(count):
                    (temporary / f"{index:05}").write_bytes(source.read(size))
            temporary.rename(folder)
        return folder

    def settle(self):
        """Waits until ext4 without a journal has forgotten the files that the last benchmark removed.

        Until then each new file costs up to ten times as much, whoever makes it: `recently_deleted` in Linux looks at
        each inode that went in the last 60 seconds, or 300 while the inode table is not on the disk.
        """
        try:
            wait = 300 - (time.time() - self.removal_mark.stat().st_mtime)
        except FileNotFoundError:
            return
        if wait > 0:
            self.say(f"waiting {wait:.0f} s until the file system forgets the files that were removed")
            time.sleep(wait)

    @property
    def removal_mark(self):
        """Touched when many files were removed."""
        return self.folder / "many-files-were-removed"

    def tree(self):
        """A folder with files of all sizes, as tar finds them."""
        folder = self.folder / "tree"
        if not folder.is_dir():
            self.say("unpacking a tree of files")
            temporary = self._fresh_folder(folder)
            # The archive may be cut: what is there of the first 256 MiB.
            subprocess.run(
                ["tar", "-xf", self.linux(256 * MIB), "-C", temporary], check=False, stderr=subprocess.DEVNULL)
            temporary.rename(folder)
        return folder

    def _make(self, name, size, command):
        """The first `size` bytes of what the command prints, all of it if there is no size."""
        first = f"first-{size // MIB}M-of-" if size is not None and size >= MIB else f"first-{size}-of-"
        path = self.folder / (name if size is None else first + name)
        if path.exists():
            return path
        whole = self.folder / name
        if size is not None and whole.exists():
            command = f"cat '{whole}'"
        self.say(f"making {path.name}")
        temporary = path.with_name(path.name + ".tmp")
        cut = f" | head -c {size}" if size is not None else ""
        with open(temporary, "wb") as file:
            # Head ends the pipe early, which is no failure; an empty file is one.
            subprocess.run(["bash", "-c", command + cut], stdout=file, check=True, stderr=subprocess.DEVNULL)
        if os.path.getsize(temporary) == 0:
            raise SystemExit(f"bench: {command} gave nothing")
        if name.endswith(".tar") and size is not None:
            end_archive(temporary)
        temporary.rename(path)
        return path

    def _fresh_folder(self, folder):
        temporary = folder.with_name(folder.name + ".tmp")
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        return temporary


def end_archive(path):
    """Replaces what is left of a member that was cut by zeros, which end a tar."""
    size, end = os.path.getsize(path), 0
    with tarfile.open(path) as archive:
        try:
            for member in archive:
                start = end
                end = member.offset_data + (member.size + 511) // 512 * 512
        except tarfile.TarError:
            pass
    if end > size - 1024:
        end = start
    os.truncate(path, end)
    os.truncate(path, size)
