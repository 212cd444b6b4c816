"""What these scripts put at the ends of a run, and how they look at its level.

pipe.py pass SECONDS:RATE...: copies standard input to standard output, for so many seconds at so many bytes a second
each, and then leaves; 0 is as fast as it goes. Standard error gets, for each quarter of a second, the time and the bytes a
second that came in it.
pipe.py levels FILE: the lines of --progress=json as "time level", where the level changed.
"""
import json
import os
import sys
import time


def copy(phases):
    start = last = time.monotonic()
    came = 0
    while True:
        now = time.monotonic()
        elapsed, rate = now - start, None
        for seconds, bytes_per_second in phases:
            if elapsed < seconds:
                rate = bytes_per_second
                break
            elapsed -= seconds
        if rate is None:
            return
        part = os.read(0, max(1, int(rate / 50)) if rate else 1 << 20)
        if not part:
            return
        came += len(part)
        os.write(1, part)
        if rate:
            time.sleep(max(0, len(part) / rate - (time.monotonic() - now)))
        if time.monotonic() - last >= 0.25:
            print(f"{time.monotonic() - start:.2f} {came / (time.monotonic() - last):.0f}", file=sys.stderr)
            last, came = time.monotonic(), 0


def levels(path):
    before = None
    with open(path) as lines:
        for line in lines:
            if line.startswith("{"):
                snapshot = json.loads(line)
                if snapshot.get("level") != before:
                    before = snapshot.get("level")
                    print(f"{snapshot['elapsedSeconds']:.2f} {before}")


if sys.argv[1] == "pass":
    copy([tuple(map(float, phase.split(":"))) for phase in sys.argv[2:]])
else:
    levels(sys.argv[2])
