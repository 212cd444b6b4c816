# -t goes on to the end: which frames are bad, where in the file and in the content; what is whole is counted.
. "$SCRIPTS/statistics/tools.bash"
corpus text 3M >a
works "$SLUICE" -q -B256K a
flip() { printf '\252' | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }
# Where frames begin.
read -r second fifth table < <(
    PYTHONPATH=$ROOT/Tests/Campaigns python -B -c '
from recover import spans
found = list(spans(open("a.zst", "rb").read()))
content = [start for start, _, size in found if size is not None]
print(content[1], content[4], found[-1][0])'
)
cp a.zst bad.zst
flip bad.zst $((second + 500))
flip bad.zst $((fifth + 500))
for input in bad.zst "- <bad.zst"; do
    eval 'fails "$SLUICE" -t '"$input"
    says "2621440 bytes intact, 524288 lost, in 2 places"
    says "bytes $second to "
    says ": lost bytes 262144 to 524287 of the content: corrupt frame at byte $second: "
    says "bytes $fifth to "
    says ": lost bytes 1048576 to 1310719 of the content: corrupt frame at byte $fifth: "
    if grep -q 'no errors' "$messages"; then fail "no errors?"; fi
done
# Small files, done side by side, are looked at as closely; those that are whole are counted.
corpus text 20K >b
works "$SLUICE" -q -B4K b
cp b.zst small.zst
flip small.zst 300
flip small.zst "$(($(size b.zst) / 2))"
fails "$SLUICE" -t a.zst bad.zst small.zst b.zst
says "2 of 4 files OK, 2 failed: "
says "small.zst: "
says " lost, in 2 places"
# What comes from a pipe is gone when it is found to be bad.
fails "$SLUICE" -t < <(cat bad.zst)
says "standard input: corrupt frame at byte $second: "
# To decompress ends with the first one, and says who does not.
fails "$SLUICE" -d bad.zst -o out
says "bad.zst: corrupt frame at byte $second: "
says "hint: sluice -d --recover bad.zst recovers what is intact"
absent out
head -c "$fifth" a.zst >cut.zst
fails "$SLUICE" -t cut.zst
says "the seek table that its header announces is missing"

# A damaged table over data that is unhurt.
for place in $((table + 4)) $((table + 9)) $(($(size a.zst) - 1)) $(($(size a.zst) - 5)); do
    cp a.zst bad.zst
    flip bad.zst "$place"
    fails "$SLUICE" -t bad.zst
    says "no content"
    says " lost"
    if grep -q 'input is truncated\|frame is truncated' "$messages"; then fail "it is not cut: $(cat "$messages")"; fi
done
says "bad.zst: bytes $table to $(($(size a.zst) - 1)): no content lost: the seek table is damaged, or cut"
fails "$SLUICE" -d bad.zst -o out
says "bad.zst: the seek table at byte $table is damaged or truncated"
absent out

# A frame is missing that the table lists, of the last stream or of one before it: it says how much.
{ head -c "$second" a.zst; tail -c +$((fifth + 1)) a.zst; } >bad.zst
for rest in /dev/null a.zst; do
    cat bad.zst $rest >missing.zst
    fails "$SLUICE" -t missing.zst
    says '786432 lost, in 1 place'
    says "lost bytes 262144 to 1048575 of the content: frames are missing here"
    if grep -q 'no content' "$messages"; then fail "$(cat "$messages")"; fi
done
