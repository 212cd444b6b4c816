# Files whose damage, or whose table, could be taken for something else.
needs python3
recovered() { "$SLUICE" -d --recover -c "$1" 2>"$messages" >out; }
head -c 12288 /dev/zero >zeros
seq 9999 >first; seq 50000 60000 >second
for piece in "3072 zeros" "1024 first" "4096 zeros" "1024 second" "3072 zeros"; do head -c "${piece% *}" "${piece#* }"; done >mixed
"$SLUICE" -q -B1K zeros mixed

# Bytes inserted in a run of like frames, with another stream in front.
(seq 1000 | zstd -q; head -c 40M /dev/zero | "$SLUICE" -q -B1M -c) >streams
(seq 1000; head -c 40M /dev/zero) >content
for place in 2000 3000; do
    (head -c $place streams; head -c 512 /dev/zero; tail -c +$((place + 1)) streams) >shifted
    if recovered shifted; then fail "$place: taken for whole"; fi
    cmp out content
done
# By as many bytes as a few frames have.
(head -c 136 zeros.zst; printf 'Y%.0s' {1..93}; tail -c +137 zeros.zst) >shifted
if recovered shifted; then fail 'taken for whole'; fi
cmp out zeros

# A size in the table of the last of two streams is wrong: nothing else is.
cat zeros.zst mixed.zst >two
printf '\x16' | dd of=two bs=1 seek=$(($(stat -c %s two) - 165)) conv=notrunc status=none
# Its frames are like others, so that nothing tells the one whose entry it is.
if recovered two; then fail 'taken for whole'; fi
says 'an unknown amount lost'
cat zeros mixed | cmp - out

# A header says more than any file has, and the frame is cut.
(printf hello | zstd -q; printf '\x28\xb5\x2f\xfd\xc0\x50\xff\xff\xff\xff\xff\xff\xff\xff\x20\x00\x00abcd') >endless
if recovered endless; then fail 'taken for whole'; fi
[ "$(cat out)" = helloabcd ]
fails "$SLUICE" -t endless

# Frames stand in another order than in the table, or one is there twice.
env -u BASH_ENV python3 - <<'END'
import re
data = open("mixed.zst", "rb").read()
a, b, c = [match.start() for match in re.finditer(re.escape(b"\x28\xb5\x2f\xfd"), data)][3:6]
open("swapped", "wb").write(data[:a] + data[b:c] + data[a:b] + data[c:])
open("doubled", "wb").write(data[:b] + data[a:b] + data[b:])
END
for file in swapped doubled; do
    if recovered $file; then fail "$file: taken for whole"; fi
    says 'the seek table lists the next frame elsewhere'
done

# Without a checksum, a frame in front of a gap may have lost something, though it can be decoded.
corpus random 8192 >noise
"$SLUICE" -q -B1K --no-check noise
(head -c 2500 noise.zst; printf XXXXXXXX; tail -c +2501 noise.zst) >shifted
if recovered shifted; then fail 'taken for whole'; fi
(seq 100000 | zstd -q --no-check; echo garbage) >followed
if recovered followed; then fail 'taken for whole'; fi
seq 100000 | cmp - out

# A gap as long as the table, which begins with a frame.
(head -c 288 zeros.zst; tail -c +312 zeros.zst) >short
if recovered short; then fail 'taken for whole'; fi
