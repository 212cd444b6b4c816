. "$SCRIPTS/statistics/tools.bash"
corpus text 3M >plain
make() {
    local part
    for part in 1 2 3 4; do "$SLUICE" -qf -1 -B128K --part=$part/4 plain -o p.$part; done
}
# refused SENTENCE PART...: nothing is written, and nothing is lost.
refused() {
    local sentence=$1
    shift
    fails "$SLUICE" --join --rm "$@" -o joined.zst
    says "$sentence"
    absent joined.zst
    no_leftovers
    local part
    for part; do [ -e "$part" ]; done
}
make
refused 'part 3 of 4 is missing' p.1 p.2 p.4
refused '3 of 4 parts are missing: 1, 3, 4' p.2
cp p.2 twin
refused 'twin: it is part 2 of 4, and so is p.2' p.1 p.2 p.3 p.4 twin
refused 'plain: it is not a part of a file' p.1 p.2 plain p.4
"$SLUICE" -q plain -o other.zst
refused 'other.zst: it is not a part of a file' other.zst
: >nothing
refused 'nothing: it is not a part of a file' p.1 nothing
# Of another file, an older one, another level, frame size, options, or count.
cp -p plain same
foreign() {
    local sentence=$1
    shift
    "$SLUICE" -qf "$@" -o strange
    refused "strange: $sentence" p.1 p.2 p.3 strange
}
foreign 'it belongs to a different number of parts than p.1' -1 -B128K --part=4/5 plain
foreign 'it has a different level than p.1' -2 -B128K --part=4/4 plain
foreign 'it has a different frame size than p.1' -1 -B256K --part=4/4 plain
foreign 'it was made with different options than p.1' -1 -B128K --no-check --part=4/4 plain
foreign 'it was made with different options than p.1' -1 -B128K --zstd=hlog=12 --part=4/4 plain
touch -d '1 hour ago' same
foreign 'it is from a different file or version than p.1' -1 -B128K --part=4/4 same
python -c 'f = open("same", "r+b"); f.seek(5); f.write(b"!")'
touch -r plain same
foreign 'it is from a different file or version than p.1' -1 -B128K --part=4/4 same
# Cut anywhere, and lengthened.
whole=$(size p.3)
for length in 0 1 100 $((whole / 2)) $((whole - 1)); do
    make
    truncate -s "$length" p.3
    refused 'p.3: it is not a part of a file, or is truncated' p.1 p.2 p.3 p.4
done
make
printf x >>p.3
refused 'p.3: it is not a part of a file, or is truncated' p.1 p.2 p.3 p.4
# A frame is gone, with the trailer left; and every byte of the trailer matters, as do both ends of each frame.
make
tail -c +2 p.3 >q && mv q p.3
refused 'p.3: its part trailer lists' p.1 p.2 p.3 p.4
make
python - <<'END'
import os, subprocess, struct
whole = open("p.3", "rb").read()
count = struct.unpack_from("<I", whole, len(whole) - 16)[0]
trailer = len(whole) - (84 + 12 * count + 16)
first = struct.unpack_from("<I", whole, trailer + 84)[0]
places = list(range(trailer, len(whole), 7)) + [0, 2, 4, 5, first - 1, first - 4, first, first + 4, trailer - 1]
for place in places:
    open("p.3", "wb").write(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1:])
    run = subprocess.run([os.environ["SLUICE"], "--join", "--rm", "p.1", "p.2", "p.3", "p.4", "-o", "joined.zst"],
                         capture_output=True, timeout=60, check=False)
    assert run.returncode == 1 and run.stderr.startswith(b"sluice: p.3: "), (place, run)
    assert run.stderr.count(b"\n") == 1 and not os.path.exists("joined.zst"), (place, run)
# Numbers that nobody should believe: the trailer is right about itself, and claims what can't be.
def digest(data):
    value, count = 0xCBF29CE484222325, 0
    for (word,) in struct.iter_unpack("<I", data):
        count += 1
        value = ((value ^ word) * 0x100000001B3) & (1 << 64) - 1
        value ^= value >> 32
    return value ^ count
body = whole[trailer:-12]
for offset, form, value in [(24, "<Q", (1 << 64) - 1), (52, "<I", 1), (52, "<I", 0), (24, "<Q", 0),
                            (20, "<I", 3), (16, "<I", 4), (84, "<I", 0xFFFFFFFF), (88, "<I", 0xFFFFFFFF)]:
    changed = bytearray(body)
    struct.pack_into(form, changed, offset, value)
    open("p.3", "wb").write(whole[:trailer] + bytes(changed) + struct.pack("<Q", digest(bytes(changed))) + whole[-4:])
    run = subprocess.run([os.environ["SLUICE"], "--join", "p.1", "p.2", "p.3", "p.4", "-o", "joined.zst"],
                         capture_output=True, timeout=60, check=False)
    assert run.returncode == 1 and b"p.3" in run.stderr, (offset, value, run)
END
# A bit inside a frame passes, as a join reads the ends only, unless it is asked to look.
make
python -c '
data = bytearray(open("p.3", "rb").read()); data[len(data) // 2] ^= 1; open("p.3", "wb").write(data)'
works "$SLUICE" --join p.* -o joined.zst
fails "$SLUICE" -t joined.zst
rm joined.zst
fails "$SLUICE" --join --verify p.* -o joined.zst
says 'p.3: its frames have changed since it was made'
says 'hint: make that part again'
absent joined.zst
no_leftovers
make
works "$SLUICE" --join --verify p.* -o joined.zst
"$SLUICE" -qf -1 -B128K plain -o one.zst
same joined.zst one.zst
rm joined.zst
# What is there stays, but for -f.
make
echo kept >joined.zst
fails "$SLUICE" --join p.* -o joined.zst
[ "$(cat joined.zst)" = kept ]
works "$SLUICE" -f --join p.* -o joined.zst
"$SLUICE" -qf -1 -B128K plain -o one.zst
same joined.zst one.zst
# A part is no output of its own.
fails "$SLUICE" -f --join p.* -o p.2
says 'is the input and the output'
mkfifo pipe
fails timeout 10 "$SLUICE" --join p.1 pipe -o other
says 'is not a file'
# Words that do not go together.
fails "$SLUICE" --join p.*
says '--join needs -o FILE.zst or -c'
for words in '--part=0/4' '--part=5/4' '--part=1' '--part=x/4' '--part=1/0' '--part=1/2/3' '--part=auto/0'; do
    fails "$SLUICE" $words plain -c
    says '--part takes K/N'
done
for words in -19 -B1M --long --single-frame --flush-interval=1 --no-check --stream-size=5 --zstd=wlog=20 --adapt \
    --rsyncable --max --no-content-size '-D plain' --patch-from=plain --hash --limit-rate=1M --buffer=1M; do
    # shellcheck disable=SC2086
    fails "$SLUICE" --join $words p.1 -o other
    says '--join and '
    says 'parts are joined unchanged'
done
for words in --verify=file --resume --recover --offset=1 --part=1/2 --against=plain; do fails "$SLUICE" --join $words p.1 -o other; done
fails "$SLUICE" --part=1/2 --rm plain
fails "$SLUICE" --part=1/2 plain same
fails "$SLUICE" --part=1/2 --rsyncable plain
fails "$SLUICE" --part=1/2 --long plain
fails "$SLUICE" --part=1/2 --adapt plain
fails "$SLUICE" --part=1/2 <plain
fails "$SLUICE" -t --part=1/2 p.1
