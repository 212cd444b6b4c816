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
        for byte, change in ((0, 1), (2, 1), (1, 0x80)) if os.environ.get("SLUICE_TESTS") == "long" else ((entry % 2 * 2, 1), (1, 0x80)):
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
# Two entries in each other's place, and every number is right: the frames tell, if any of them is asked. That is an
# error of a table that the stream's header announces, and a warning of another.
corpus random 3000K >plain
corpus text 1000K >>plain
"$SLUICE" -q -f -B500K plain -o whole.zst
python - <<'PYTHON'
import os, subprocess
sluice, whole, plain = os.environ["SLUICE"], open("whole.zst", "rb").read(), open("plain", "rb").read()
entries = int.from_bytes(whole[-9:-5], "little")
first = len(whole) - 9 - 12 * entries


def place(entry):
    return slice(first + 12 * entry, first + 12 * entry + 12)


damaged = bytearray(whole)
damaged[place(5)], damaged[place(7)] = whole[place(7)], whole[place(5)]
open("announced.zst", "wb").write(damaged)
header = int.from_bytes(damaged[place(0)][:4], "little")
table = first - 8
rest = damaged[place(0)] + damaged[first + 24:-9] + (entries - 1).to_bytes(4, "little") + damaged[-5:]
open("unannounced.zst", "wb").write(
    damaged[:header] + damaged[header + 24:table + 4] + len(rest).to_bytes(4, "little") + rest)
for words, part in ((["--offset=2200000", "--length=24"], slice(2200000, 2200024)),
                    (["--offset=100000", "--length=3000000"], slice(100000, 3100000)),
                    (["--range=3600000-3600009", "--range=5-9"], None), (["--tail=1200000"], slice(-1200000, None))):
    wanted = plain[part] if part else plain[3600000:3600010] + plain[5:10]
    for name in ("announced", "unannounced"):
        ended = subprocess.run([sluice, "-dc", *words, name + ".zst"], capture_output=True, timeout=60, check=False)
        told = b": the seek table contradicts the frames" in ended.stderr
        assert told == bool(part), (name, words, ended.stderr)
        if part and name == "announced":
            assert ended.returncode == 1 and not ended.stdout, (name, words, ended.returncode, ended.stderr)
        else:
            assert ended.returncode == 0 and ended.stdout == wanted, (name, words, ended.returncode, ended.stderr)
PYTHON
