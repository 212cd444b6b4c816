# libzstd takes a frame in one go if all of it and room for its content are there, from where the last call's bytes begin:
# with a header in two calls that is its middle, and this one reads like a skippable frame from there.
needs python3
cat >make.py <<'EOF'
import gzip, struct, subprocess, sys
magic = b'\x28\xb5\x2f\xfd'
# A content size of 6477 bytes whose header goes on like the magic number of a skippable frame.
header, total, run = magic + b'\x50\x2a\x4d\x18', 6477, 100
inner = subprocess.run(['zstd', '-cq', '--no-check'], input=b'other\n', stdout=subprocess.PIPE).stdout
size = run << 3 | 1 << 1
body = bytearray(b'a' * (total - run))
skipped = size - 3
fill = len(body) - skipped - len(inner)
body[skipped:] = inner + struct.pack('<II', 0x184D2A50, fill - 8) + b'z' * (fill - 8)
frame = header + size.to_bytes(3, 'little') + b'\0' + (1 | len(body) << 3).to_bytes(3, 'little') + bytes(body)
open('frame.zst', 'wb').write(frame)
open('behind.gz', 'wb').write(gzip.compress(b'first\n') + frame)
open('doubled.zst', 'wb').write(frame + frame)
EOF
env -u BASH_ENV python3 make.py
for file in frame.zst behind.gz doubled.zst; do
    zstd -dcqf $file >wanted
    works "$SLUICE" -dc $file >got
    same got wanted
    works "$SLUICE" -q -t $file
    # From a pipe that pauses in the header, behind it, and in a block.
    for count in 3 6 8 2000; do
        { head -c $count $file; sleep 0.7; tail -c +$((count + 1)) $file; } | "$SLUICE" -d >got || fail "$file, $count"
        same got wanted
    done
done
