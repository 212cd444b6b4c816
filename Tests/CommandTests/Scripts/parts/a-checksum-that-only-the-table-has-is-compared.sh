# Frames of zstd's seekable format have no checksums, and the table at the end has one for each.
needs python3 zstd
file=$FIXTURES/seekable-contrib-1MiB.zst
works "$SLUICE" -t "$file"
works "$SLUICE" -d -c "$file" >plain
silent
# A bit in the content of the second frame, which still decodes.
flip() {
    python3 - "$file" <<'PYTHON'
import subprocess, sys
whole = open(sys.argv[1], "rb").read()
entries = int.from_bytes(whole[-9:-5], "little")
assert whole[-5] & 0x80, "the table has no checksums"
first = int.from_bytes(whole[len(whole) - 9 - 12 * entries:][:4], "little")
for place in range(first + 1000, first + 100_000):
    flipped = bytearray(whole)
    flipped[place] ^= 1
    open("flipped.zst", "wb").write(flipped)
    if subprocess.run(["zstd", "-tq", "flipped.zst"], capture_output=True).returncode == 0:
        break
else:
    sys.exit("no bit of the frame decodes when it is flipped")
PYTHON
}
flip
for threads in 1 4; do
    fails "$SLUICE" -t -T$threads flipped.zst
    fails "$SLUICE" -d -c -T$threads flipped.zst
    says "its content does not match the seek table's checksum"
done
fails "$SLUICE" -d -c --offset=1100000 --length=10 flipped.zst
says "its content does not match the seek table's checksum"
works "$SLUICE" -d -c --offset=10 --length=10 flipped.zst
fails "$SLUICE" -d flipped.zst
absent flipped
fails "$SLUICE" -d --recover -c flipped.zst >recovered
says "its content does not match the seek table's checksum"
[ "$(size recovered)" = "$(size plain)" ]
works "$SLUICE" -d --recover -c "$file" >recovered
same recovered plain
# What zstd does: it does not look at tables.
works zstd -d -c flipped.zst >wrong
ln -s "$SLUICE" zstdcat
works ./zstdcat flipped.zst >same
same wrong same
works "$SLUICE" -t --no-check flipped.zst
