needs strace
corpus random 24M >a
works "$SLUICE" -q -B1M a
# read FILE OUTPUT: lists a file, and prints how many bytes of it were read.
read_bytes() {
    strace -f -qq -e trace=read,pread64 -P "$1" -P "$PWD/$1" -o calls "$SLUICE" -l --json "$1" >"$2" 2>"$messages" || return
    awk '{ sum += $NF } END { print sum + 0 }' calls
}
bytes=$(read_bytes a.zst listed)
[ "$bytes" -lt 4096 ] || fail "$bytes bytes were read of a file with a table"
# Without its table the file is not whole; in front of another one the table says nothing, and the blocks do.
{ cat a.zst "$FIXTURES/single-frame.zst"; } >joined.zst
bytes=$(read_bytes joined.zst more)
[ "$bytes" -gt 100000 ] || fail "only $bytes bytes were read of a file without a table at its end"
grep -q '"frames" : 25,' more
grep -q '"contentBytes" : 25165824,' listed
cp a.zst whole.zst
# Numbers of the table, larger or smaller by one, and two of them with a byte moved between them: the blocks contradict
# them, and it is said.
table=$(($(size a.zst) - 17 - 12 * 25))
for number in 8 12 56 60 $((8 + 12 * 24)) $((8 + 12 * 24 + 4)) $((8 + 12 * 25)); do
    for step in 1 -1; do
        perl -e 'my ($place, $step) = @ARGV; open my $f, "+<", "a.zst"; seek $f, $place, 0; read $f, my $n, 4; seek $f, $place, 0; print $f pack("V", (unpack("V", $n) + $step) & 0xFFFFFFFF)' $((table + number)) $step
        read_bytes a.zst lied >count || true
        # A decompressed size is not among what the blocks contradict: it is not believed, and the frames' own are told.
        if grep -q '"frames"' lied; then same lied listed; else says 'the seek table'; fi
        cp whole.zst a.zst
    done
done
perl -e 'open my $f, "+<", "a.zst"; for ([$ARGV[0] + 56, 1], [$ARGV[0] + 68, -1]) { seek $f, $_->[0], 0; read $f, my $n, 4; seek $f, $_->[0], 0; print $f pack "V", unpack("V", $n) + $_->[1] }' "$table"
fails "$SLUICE" -l a.zst
says 'the seek table contradicts the frames'
# What is cut is no shorter file.
for cut in 1 9 400 1048576; do
    head -c -$cut whole.zst >cut.zst
    fails "$SLUICE" -l cut.zst
done
