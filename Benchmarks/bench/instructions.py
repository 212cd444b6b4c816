"""Counts what small runs cost: instructions in the process (callgrind), system calls and threads (strace).

Unlike times they are the same on a busy machine.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CONTENT = b"hello\n"
# Work, and whether its input is a pipe that holds all of it.
WORK = {
    "--version": (["--version"], None),
    "a file of 6 bytes": (["-q", "plain", "-o", "made"], None),
    "its decompression": (["-q", "-d", "packed.zst", "-o", "made"], None),
    "the same bytes from a pipe": (["-q", "-c"], "plain"),
    "its decompression from a pipe": (["-q", "-d", "-c"], "packed.zst"),
}


def run(words, folder, piped):
    """Runs a command whose input, if it is one, is a pipe that nobody can write to any more."""
    (folder / "made").unlink(missing_ok=True)
    stdin = subprocess.DEVNULL
    if piped:
        stdin, writer = os.pipe()
        os.write(writer, (folder / piped).read_bytes())
        os.close(writer)
    result = subprocess.run(words, cwd=folder, stdin=stdin, capture_output=True, check=False)
    if piped:
        os.close(stdin)
    if result.returncode != 0:
        sys.exit(f"bench: {' '.join(words)}: {result.stderr.decode(errors='replace').strip()[-500:]}")
    return result


def instructions(words, folder, piped):
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'calls'}"]
    text = run([*tool, *words], folder, piped).stderr.decode(errors="replace")
    return int(re.search(r"Collected : (\d+)", text).group(1))


def calls(words, folder, piped):
    """How many system calls, and how many of them start a thread."""
    trace = folder / "trace"
    run(["strace", "-f", "-qq", "-o", str(trace), *words], folder, piped)
    # What a call returns later stands in a line of its own.
    lines = [line for line in trace.read_text(errors="replace").splitlines()
             if re.match(r"\d+ +\w+\(", line)]
    return len(lines), sum(bool(re.match(r"\d+ +clone3?\(", line)) for line in lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sluice", required=True, type=Path)
    sluice = parser.parse_args().sluice
    print("| work | instructions, millions | zstd | system calls | zstd | threads started | zstd |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # As it is installed.
        binary = folder / "sluice"
        subprocess.run(["strip", "-o", binary, sluice], check=True)
        (folder / "plain").write_bytes(CONTENT)
        subprocess.run(["zstd", "-q", folder / "plain", "-o", folder / "packed.zst"], check=True)
        for work, (words, piped) in WORK.items():
            figures = []
            for program in (str(binary), "zstd"):
                command = [program, *words]
                count, threads = calls(command, folder, piped)
                figures.append((f"{instructions(command, folder, piped) / 1e6:.2f}", count, threads))
            print(f"| {work} | " + " | ".join(f"{own} | {other}" for own, other in zip(*figures)) + " |", flush=True)


if __name__ == "__main__":
    main()
