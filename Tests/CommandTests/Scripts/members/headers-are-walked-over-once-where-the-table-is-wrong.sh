needs strace
mkdir tree
for number in {100..199}; do corpus random 60K >tree/$number; done
# A frame for each of them.
tar -cf a.tar tree/*
works "$SLUICE" -q --members -B64K a.tar
# reads: takes a member of the archive, and counts the reads of the compressed file.
reads() {
    strace -f -qq -e trace=read,pread64 -P "$PWD/a.tar.zst" -o calls "$SLUICE" -d --member=tree/150 a.tar.zst >got
}
works reads
same got tree/150
calls=$(wc -l <calls)
[ "$calls" -lt 50 ] || fail "$calls reads with a table"
# A byte moved from each second frame to the one before it: the sum is that of the file.
perl -e '
    open my $file, "+<", "a.tar.zst";
    seek $file, -9, 2;
    read $file, my $count, 4;
    $count = unpack "V", $count;
    for my $entry (10 .. 89) {
        my $place = -9 - 12 * ($count - $entry);
        seek $file, $place, 2;
        read $file, my $size, 4;
        seek $file, $place, 2;
        print $file pack "V", unpack("V", $size) + ($entry % 2 ? -1 : 1);
    }'
# Then a header announces a table that is not that of the frames.
fails reads
says 'the seek table contradicts the frames'
calls=$(wc -l <calls)
[ "$calls" -gt 100 ] || fail "only $calls reads without a table that is right"
[ "$calls" -lt 180 ] || fail "$calls reads for the headers of a hundred frames"
