"""Measures sluice on files of a server: how much is asked for, and how fast all of it comes, beside curl and a pipe.

nginx serves on the loopback, and moto as an object store. A relay in front of it delays what goes by, each way by half of the round trip, and gives
each connection a rate, as a server far away does. It starts at full speed: TCP's own slow start is not imitated.
"""

import argparse
import asyncio
import json
import os
import statistics
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from corpora import Corpora
import machine

MIB = 1 << 20
RATE = 50_000_000
# To the store that is written.
SENT_RATE = 5_000_000
MEMBER = "linux-source-6.1/kernel/sched/core.c"


async def relay(port, target, delay, rate, sent_rate=0):
    """Passes on connections for ever.

    - delay: seconds each way; rate: bytes per second of each connection; sent_rate: the same for what goes to the server.
    """

    async def pump(reader, writer, rate):
        queue = asyncio.Queue(256)

        async def deliver():
            due = 0.0
            while True:
                arrival, data = await queue.get()
                now = time.monotonic()
                due = max(due, arrival + delay) + (len(data) / rate if rate else 0)
                if due > now + 0.0005:
                    await asyncio.sleep(due - now)
                if not data:
                    break
                writer.write(data)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()

        delivery = asyncio.create_task(deliver())
        while True:
            data = await reader.read(1 << 16)
            await queue.put((time.monotonic(), data))
            if not data:
                break
        await delivery

    async def accept(reader, writer):
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", target)
            await asyncio.gather(pump(reader, inner_writer, sent_rate), pump(inner_reader, writer, rate))
        except (ConnectionError, OSError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", port, limit=1 << 18)
    async with server:
        await server.serve_forever()


class Server:
    """nginx, which notes each request."""

    def __init__(self, folder, port):
        self.folder, self.port = folder, port
        self.log = folder / "access.log"
        (folder / "nginx.conf").write_text(
            f"pid {folder}/pid; error_log {folder}/error.log; worker_processes 2;\n"
            "events {}\n"
            "http { log_format bytes '$request_method $status $body_bytes_sent $http_range';\n"
            f"access_log {self.log} bytes; sendfile on; keepalive_requests 100000;\n"
            f"server {{ listen 127.0.0.1:{port}; root {folder}/files; }} }}\n")
        subprocess.run(["nginx", "-c", str(folder / "nginx.conf")], check=True, stderr=subprocess.DEVNULL)

    def stop(self):
        subprocess.run(["nginx", "-c", str(self.folder / "nginx.conf"), "-s", "quit"], check=False, stderr=subprocess.DEVNULL)

    def requests(self, words):
        """The answers that a command was given: how many, and their bytes."""
        lines = noted(self.log, words)
        return len(lines), sum(int(line.split()[2]) for line in lines)


class ObjectStore:
    """moto's S3, with one object."""

    def __init__(self, program, folder, port, path):
        self.log = folder / "moto.log"
        self.process = subprocess.Popen(
            [program, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=open(self.log, "w"))
        self.environment = dict(
            os.environ, AWS_ENDPOINT_URL=f"http://127.0.0.1:{port}", AWS_REGION="us-east-1",
            AWS_ACCESS_KEY_ID="key", AWS_SECRET_ACCESS_KEY="secret")
        self.url = f"s3://bucket/{path.name}"
        place = f"http://127.0.0.1:{port}/bucket"
        put = ["curl", "-sf", "--retry", "30", "--retry-connrefused", "--retry-delay", "1", "-X", "PUT"]
        for words in [[place], ["-T", str(path), f"{place}/{path.name}"]]:
            subprocess.run([*put, "--user", "key:secret", "--aws-sigv4", "aws:amz:us-east-1:s3", *words], check=True)

    def requests(self, words):
        """How many requests a command made."""
        return len([line for line in noted(self.log, words, self.environment) if "GET /bucket/" in line])

    def stop(self):
        self.process.kill()
        self.process.wait()


def noted(log, words, environment=None):
    """The lines that a server notes while a command runs."""
    # A request is noted when it is over.
    time.sleep(0.2)
    before = len(log.read_text().splitlines())
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment)
    time.sleep(0.2)
    return log.read_text().splitlines()[before:]


def seconds(words):
    """The time that a shell's command takes."""
    start = time.monotonic()
    subprocess.run(["bash", "-c", f"set -o pipefail; {words} >/dev/null"], check=True)
    return time.monotonic() - start


def peak(words):
    """The peak memory of a command in MiB."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {words}")
    return usage.ru_maxrss / 1024


def needed_bytes(archive, content):
    """The bytes of the seek table, of the index of members before it, and of the frames that hold MEMBER."""
    with tarfile.open(content) as tar:
        member = next(entry for entry in tar if entry.name == MEMBER)
    with open(archive, "rb") as file:
        file.seek(-9, os.SEEK_END)
        count, _, _ = struct.unpack("<IBI", file.read(9))
        file.seek(-9 - 12 * count, os.SEEK_END)
        entries = list(struct.iter_unpack("<III", file.read(12 * count)))
    offset, needed = 0, 8 + 12 * count + 9 + entries[-1][0]
    for compressed, decompressed, _ in entries:
        if offset < member.offset_data + member.size and offset + decompressed > member.offset:
            needed += compressed
        offset += decompressed
    return needed


def measure_store(sluice, moto, folder, archive, content, say):
    """An object of S3: how many requests, and that it is the file."""
    say("an object of S3")
    store = ObjectStore(moto, folder, 8479, archive)
    rows = []
    try:
        for name, words in [("-l", ["-l"]), ("one member", ["-dc", f"--member={MEMBER}"])]:
            rows.append((f"{name} of an object of S3: requests", store.requests([sluice, "-q", *words, store.url]), ""))
        words = [sluice, "-q", "-t", f"--against={content}", store.url]
        rows.append(("all of an object of S3, which is the file: requests", store.requests(words), ""))
    finally:
        store.stop()
    return rows


def measure_uploads(sluice, stand_in, folder, content, rounds, say):
    """Objects that are written: the time beside that to a file, that through connections which are slow, and memory."""
    rows = []
    environment = dict(
        os.environ, AWS_ENDPOINT_URL="http://127.0.0.1:8470", AWS_REGION="us-east-1", AWS_ACCESS_KEY_ID="key",
        AWS_SECRET_ACCESS_KEY="secret")
    os.environ.update(environment)
    store = subprocess.Popen([stand_in, "8470"])
    slow = subprocess.Popen([sys.executable, __file__, "--relay", "8471", "8470", "0", "0", str(SENT_RATE)])
    try:
        time.sleep(0.5)
        commands = {
            "file": f"{sluice} -q -f {content} -o {folder}/out.zst", "object": f"{sluice} -q -f {content} -o s3://bucket/x.zst"}
        times = {name: [] for name in commands}
        for turn in range(rounds):
            say(f"an object, round {turn + 1} of {rounds}")
            for name, command in commands.items():
                times[name].append(seconds(command))
        medians = {name: statistics.median(values) for name, values in times.items()}
        rows.append(("an object, 0 ms: times as fast as a file", f"{medians['file'] / medians['object']:.2f}",
                     f"{medians['object']:.1f} s"))
        base = peak([sluice, "-q", "-f", str(content), "-o", f"{folder}/out.zst"])
        rows.append(("peak memory for a file, MiB", round(base), ""))
        rows.append(("peak memory for an object, MiB", round(peak([sluice, "-q", "-f", str(content), "-o", "s3://bucket/x.zst"])),
                     "256 MiB of parts at most"))
        # 20 parts for each of 4 connections.
        size = 4 * 20 * 5 * MIB
        huge = folder / "huge"
        with open(huge, "wb") as file:
            file.truncate(size)
        os.environ["AWS_ENDPOINT_URL"] = "http://127.0.0.1:8471"
        words = f"{sluice} -q -f --copy --connections=4 --upload-part=5M {huge} -o s3://bucket/x"
        say("an object, through slow connections")
        taken = statistics.median(seconds(words) for _ in range(min(rounds, 3)))
        rows.append(("an object through 4 connections: of the sum of their rates", f"{size / taken / (4 * SENT_RATE):.3f}",
                     f"{SENT_RATE / 1e6:.0f} MB/s each"))
    finally:
        for process in [store, slow]:
            process.kill()
            process.wait()
    return rows


def measure(sluice, moto, folder, corpora, rounds, say):
    archive = folder / "files/linux.tar.zst"
    archive.parent.mkdir()
    say("compressing the sources of Linux")
    subprocess.run([sluice, "-q", "--members", "-f", str(corpora.linux()), "-o", str(archive)], check=True)
    listing = json.loads(subprocess.run([sluice, "-l", "--json", str(archive)], check=True, capture_output=True).stdout)
    content = listing["files"][0]["contentBytes"]
    server = Server(folder, 8480)
    rows = []
    try:
        url = f"http://127.0.0.1:8480/{archive.name}"
        say("counting requests")
        needed = needed_bytes(archive, corpora.linux())
        for name, words in [("-l", ["-l"]), ("one member", ["-dc", f"--member={MEMBER}"]), ("--tail=1000", ["-dc", "--tail=1000"])]:
            count, size = server.requests([sluice, "-q", *words, url])
            rows.append((f"{name}: requests", count, ""))
            beside = f"{size / needed:.3f} of table, index and its frame" if name == "one member" else ""
            rows.append((f"{name}: KiB", round(size / 1024), beside))
        rows.append(("peak memory from a file, MiB", round(peak([sluice, "-q", "-dc", str(archive)])), ""))
        rows.append(("peak memory from the server, MiB", round(peak([sluice, "-q", "-dc", url])), ""))
        for milliseconds in [0, 20, 100]:
            port = 8481 + milliseconds
            process = subprocess.Popen(
                [sys.executable, __file__, "--relay", str(port), "8480", str(milliseconds / 2000), str(RATE)])
            try:
                time.sleep(0.5)
                place = f"http://127.0.0.1:{port}/{archive.name}" if milliseconds else url
                commands = {"curl": f"curl -sf {place} | {sluice} -q -dc", "sluice": f"{sluice} -q -dc {place}"}
                times = {name: [] for name in commands}
                for turn in range(rounds):
                    say(f"{milliseconds} ms, round {turn + 1} of {rounds}")
                    for name, command in commands.items():
                        times[name].append(seconds(command))
                medians = {name: statistics.median(values) for name, values in times.items()}
                rate = content / medians["sluice"] / MIB
                rows.append((f"all of it, {milliseconds} ms: times as fast as curl | sluice",
                             f"{medians['curl'] / medians['sluice']:.2f}", f"{rate:.0f} MiB/s of content"))
            finally:
                process.kill()
                process.wait()
    finally:
        server.stop()
    if os.access(moto, os.X_OK):
        rows += measure_store(sluice, moto, folder, archive, corpora.linux(), say)
    return rows


def main():
    if sys.argv[1:2] == ["--relay"]:
        asyncio.run(relay(int(sys.argv[2]), int(sys.argv[3]), *map(float, sys.argv[4:])))
        return
    options = argparse.ArgumentParser(prog="scripts/bench --remote", description=__doc__)
    options.add_argument("--sluice", required=True, help=argparse.SUPPRESS)
    options.add_argument("--stand-in", default="", help=argparse.SUPPRESS)
    options.add_argument("--moto", default="", help=argparse.SUPPRESS)
    options.add_argument("--rounds", type=int, default=5, help="turns of each command (default 5)")
    words = options.parse_args()
    say = lambda text: print(f"bench: {text}", file=sys.stderr, flush=True)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sluice-bench"
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        # nginx reads as another user.
        os.chmod(folder, 0o755)
        corpora = Corpora(cache, "/usr/bin", say)
        rows = measure(words.sluice, words.moto, Path(folder), corpora, words.rounds, say)
        if words.stand_in:
            rows += measure_uploads(words.sluice, words.stand_in, Path(folder), corpora.linux(), words.rounds, say)
    here = machine.describe(cache)
    print(f"On {here['cpus']} processors of {here['cpu']}; {RATE // 1_000_000} MB/s for each connection where there is a delay.\n")
    print("| | | |\n|---|--:|---|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


if __name__ == "__main__":
    main()
