"""Somebody swaps directories for links, all the time: no output, and no removal, is led anywhere else.

And sources with one last name, files and files on servers: each has an output of its own, or the run says that it has not.
"""

import functools
import http.server
import os
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter

from run import Trouble, run


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server that says nothing."""

    def log_message(self, *words):
        pass


def swap(name, link):
    """Lets a directory and a link take turns at a name, in a process of its own; returns its number."""
    child = os.fork()
    if child:
        return child
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        try:
            os.rename(name, name + ".was")
            os.rename(link, name)
            time.sleep(0.0002)
            os.rename(name, link)
            os.rename(name + ".was", name)
            time.sleep(0.0002)
        except OSError:
            pass


class Campaign:
    """A race or a set of sources a round."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder = binary, folder
        self.counts = Counter()
        os.mkdir(os.path.join(folder, "site"))
        handler = functools.partial(Quiet, directory=os.path.join(folder, "site"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}"

    def round(self, number, chance):
        """One of the two."""
        for name in "tree", "elsewhere", "out":
            shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)
        (self.race if chance.random() < 0.7 else self.namesakes)(number, chance)

    def write(self, path, content):
        """Writes a file, and makes its directories."""
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def race(self, number, chance):
        """Files in a directory that is swapped while they are done."""
        mirrors, unpacks = chance.random() < 0.4, chance.random() < 0.4
        # In a mirror, -f follows links; among sources it finds what is behind them, which may be nothing.
        follows = not mirrors and chance.random() < 0.3
        for index in range(chance.choice([1, 3, 20])):
            path = self.write(f"tree/inner/file{index}", b"content " * chance.choice([1, 100_000]))
            if unpacks:
                subprocess.run(["zstd", "-q", "--rm", path], check=True)
        os.mkdir(os.path.join(self.folder, "elsewhere"))
        kept = {} if follows else {"file0.zst" if unpacks else "file0": b"kept"}
        for name, content in kept.items():
            self.write(f"elsewhere/{name}", content)
        link = os.path.join(self.folder, "tree" if not mirrors else ".", "link")
        name = os.path.join(self.folder, "out/tree/inner" if mirrors else "tree/inner")
        os.makedirs(name, exist_ok=True)
        os.symlink(os.path.join(self.folder, "elsewhere"), link)
        words = [chance.choice(["-q", "-v"]), "-r", "tree", "--no-sandbox", "--no-sync"] + ["-d"] * unpacks
        words += ["-f"] * follows + chance.choice([[], ["--rm"]]) + ["--output-dir-mirror", "out"] * mirrors
        command = " ".join(["sluice"] + words) + f", while {os.path.relpath(name, self.folder)} becomes a link"
        attacker = swap(name, link)
        try:
            time.sleep(chance.random() * 0.01)
            ended = run([self.binary] + words, self.folder)
        finally:
            os.kill(attacker, signal.SIGKILL)
            os.waitpid(attacker, 0)
        for left in link, name + ".was", name:
            if os.path.islink(left):
                os.unlink(left)
        if ended is None or ended.is_crash:
            raise Trouble("crashed or hung in a race", command, ended.messages if ended else "")
        there = {}
        for name in os.listdir(os.path.join(self.folder, "elsewhere")):
            with open(os.path.join(self.folder, "elsewhere", name), "rb") as file:
                there[name] = file.read(100)
        if there != kept:
            raise Trouble("an output or a removal was led elsewhere", command, f"{there}: {ended.messages.decode()}")
        self.counts["races"] += 1

    def namesakes(self, number, chance):
        """Sources with few last names, of several kinds."""
        sources, operands = [], []
        for index in range(chance.randrange(2, 12)):
            last, content = chance.choice("ab"), f"content {index} of {number}\n".encode()
            if chance.random() < 0.5:
                self.write(f"site/{number}/{index}/{last}", content)
                operands.append(f"{self.url}/{number}/{index}/{last}")
            else:
                self.write(f"tree/{index}/{last}", content)
                operands.append(f"tree/{index}/{last}")
            sources.append(content)
        os.mkdir(os.path.join(self.folder, "out"))
        words = [chance.choice(["-q", "-v"]), "--output-dir-flat", "out"] + chance.choice([["-f"], ["-f", "--no-sync"], []])
        command = " ".join(["sluice"] + words + operands)
        ended = run([self.binary] + words + operands, self.folder)
        if ended is None or ended.is_crash:
            raise Trouble("crashed or hung", command, ended.messages if ended else "")
        made = [subprocess.run(["zstd", "-qdc", os.path.join(self.folder, "out", name)], capture_output=True).stdout
                for name in os.listdir(os.path.join(self.folder, "out"))]
        if not set(made) <= set(sources) or ended.code == 0 and len(made) < len(set(sources)):
            raise Trouble("an output was lost, and nothing said", command, ended.messages.decode())
        self.counts["namesakes"] += 1
