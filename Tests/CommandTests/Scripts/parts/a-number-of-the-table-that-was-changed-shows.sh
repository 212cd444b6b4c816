# Any byte of it, for any part: the bytes are the right ones, or there is an error. Decoding everything tells too.
. "$SCRIPTS/statistics/tools.bash"
corpus text 2500K >plain
for frames in 600K 1300K; do
    "$SLUICE" -q -f -B$frames plain -o whole.zst
    python - <<'PYTHON'
import os, subprocess
sluice, whole, plain = os.environ["SLUICE"], open("whole.zst", "rb").read(), open("plain", "rb").read()
entries = int.from_bytes(whole[-9:-5], "little")


def run(*words):
    return subprocess.run([sluice, *words, "damaged.zst"], capture_output=True, timeout=60, check=False)


ranges = [(["--offset=2000000", "--length=24"], slice(2000000, 2000024)),
          (["--offset=-1000000", "--length=24"], slice(len(plain) - 1000000, len(plain) - 1000000 + 24))]
for entry in range(entries):
    for number in (0, 4):
        place = len(whole) - 9 - 12 * (entries - entry) + number
        for byte, change in (0, 1), (2, 1), (1, 0x80):
            damaged = bytearray(whole)
            damaged[place + byte] ^= change
            open("damaged.zst", "wb").write(damaged)
            for words, part in ranges:
                ended = run("-d", "-c", *words)
                assert ended.returncode == 1 or ended.stdout == plain[part], (entry, number, byte, words, ended)
                assert plain[part].startswith(ended.stdout), (entry, number, byte, words, ended)
            ended = run("-t")
            assert ended.returncode == 1, (entry, number, byte, ended)
            ended = run("-dc")
            assert ended.returncode == 1 and ended.stdout == plain, (entry, number, byte, ended.stderr)
PYTHON
done
