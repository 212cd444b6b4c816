"""Takes random parts of files, and compares them with what zstd decompresses: laws.py SLUICE SEED ROUNDS FILE..."""

import random
import subprocess
import sys

LIMIT = 60


def chosen(rng, size, kind, name):
    """The words for a part, the content's slices that it means, and whether anything was asked for."""
    start = rng.choice([0, rng.randrange(size + 1), max(0, size - rng.randrange(1, 100_000))])
    count = rng.choice([0, 1, rng.randrange(1, size + 2), rng.randrange(1, 70_000)])
    if kind == "range":
        count = max(1, count)
        return [f"--range={start}-{start + count - 1}"], [(start, start + count)]
    if kind == "tail":
        return [f"--tail={count}"], [(max(0, size - count), size)]
    if kind == "end":
        back = rng.randrange(1, size + 2)
        first = size - back
        return [f"--offset=-{back}", f"--length={count}"], [(max(0, first), max(0, first + count))]
    if kind == "several":
        parts = [(first, first + rng.randrange(1, 200_000)) for first in (rng.randrange(size + 1) for _ in range(4))]
        return [f"--range={first}-{end - 1}" for first, end in parts], parts
    words = [f"--offset={start}", f"--length={count}"]
    return words + ([f"--index={name}.index"] if kind == "index" else []), [(start, start + count)]


def main():
    sluice, seed, rounds, *names = sys.argv[1:]
    rng = random.Random(int(seed))
    failures = 0
    for name in names:
        content = subprocess.run(["zstd", "-dcq", name], capture_output=True, check=True).stdout
        for _ in range(int(rounds)):
            kind = rng.choice(["offset", "range", "tail", "end", "several", "pipe", "index"])
            words, parts = chosen(rng, len(content), kind, name.rsplit("/", 1)[-1])
            wanted = b"".join(content[first:end] for first, end in parts)
            command = [sluice, "-d", f"-T{rng.choice([1, 2, 4])}", *words]
            if kind == "pipe":
                producer = subprocess.Popen(["cat", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                run = subprocess.run(command, stdin=producer.stdout, capture_output=True, timeout=LIMIT, check=False)
                producer.stdout.close()
                producer.wait()
            else:
                run = subprocess.run([*command, name], capture_output=True, timeout=LIMIT, check=False)
            code = 1 if not wanted and any(end > first for first, end in parts) or asks_in_vain(words, wanted) else 0
            if run.stdout != wanted or run.returncode != code:
                failures += 1
                print(f"{name}: {kind} {words}: exit {run.returncode} instead of {code}, "
                      f"{len(run.stdout)} of {len(wanted)} bytes, {run.stderr.decode(errors='replace')}")
    sys.exit(1 if failures else 0)


def asks_in_vain(words, wanted):
    """Whether bytes were asked for, and none is there. The last ones of an empty content are none."""
    if any(word.startswith("--tail") for word in words):
        return False
    return not wanted and not any(word.endswith("=0") and not word.startswith("--offset") for word in words)


if __name__ == "__main__":
    main()
