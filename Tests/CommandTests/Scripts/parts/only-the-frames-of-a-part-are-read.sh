needs strace
corpus random 64M >plain
works "$SLUICE" -q -B1M --no-sync plain
# read_bytes WORDS...: how many bytes of the compressed file a run reads.
read_bytes() {
    strace -f -qq -e trace=read,pread64 -P plain.zst -P "$PWD/plain.zst" -o calls "$SLUICE" -d "$@" plain.zst >part
    awk '{ sum += $NF } END { print sum + 0 }' calls
}
# Two frames, the seek table (785 bytes and its footer), and the magic number.
bytes=$(read_bytes --offset=32M --length=1500K)
[ "$bytes" -lt $((2 * 1048576 + 4096)) ] || fail "$bytes bytes were read for two frames"
cmp part <(perl -e 'open my $f, "<", "plain"; seek $f, 33554432, 0; read $f, my $d, 1536000; print $d')
bytes=$(read_bytes --tail=1)
[ "$bytes" -lt $((1048576 + 4096)) ] || fail "$bytes bytes were read for one frame"
bytes=$(read_bytes --range=0-0 --range=-1 --range=40000000-40000000)
[ "$bytes" -lt $((3 * 1048576 + 4096)) ] || fail "$bytes bytes were read for three frames"
# Without a table: the headers of frames and blocks, a few bytes of every 128 KiB.
for number in 1 2 3 4 5 6; do head -c 8M plain; done | split -b 8M --filter 'zstd -qc --stream-size=8388608' - >plain.zst
bytes=$(read_bytes --offset=20M --length=1)
[ "$bytes" -lt $(($(size plain.zst) / 6 + 1200000)) ] || fail "$bytes bytes were read for one frame of six"
says_start() { "$SLUICE" -d -v "$@" 2>&1 >/dev/null | grep -q 'decoding from the start'; }
refuses says_start --offset=20M --length=1 plain.zst
# One frame is decoded from its start, and the input is not read much further than the last byte that is needed.
zstd -qc <plain >one.zst
says_start --offset=1M --length=1 one.zst
strace -f -qq -e trace=read,pread64 -P one.zst -P "$PWD/one.zst" -o calls "$SLUICE" -d --offset=1M --length=1 one.zst >part
bytes=$(awk '{ sum += $NF } END { print sum + 0 }' calls)
[ "$bytes" -lt $((24 * 1048576)) ] || fail "$bytes bytes were read for the start of one frame"
