"""pipe.py RATE PACE: copies standard input to standard output, as many bytes a second as the file RATE says: 0 is as fast
as it goes, and an empty file ends it. PACE gets, for each quarter of a second, the bytes a second that came."""
import os
import sys
import time


def wanted():
    with open(sys.argv[1]) as file:
        return file.read().strip()


last, looked, came, rate = time.monotonic(), 0, 0, ""
with open(sys.argv[2], "w", buffering=1) as pace:
    while True:
        now = time.monotonic()
        if now - looked > 0.02:
            rate, looked = wanted() or wanted(), now
        if not rate:
            break
        part = os.read(0, max(1, int(rate) // 50) if int(rate) else 1 << 20)
        if not part:
            break
        came += len(part)
        while part:
            part = part[os.write(1, part):]
        if int(rate):
            time.sleep(max(0, max(1, int(rate) // 50) / int(rate) - (time.monotonic() - now)))
        if time.monotonic() - last >= 0.25:
            print(int(came / (time.monotonic() - last)), file=pace)
            last, came = time.monotonic(), 0
