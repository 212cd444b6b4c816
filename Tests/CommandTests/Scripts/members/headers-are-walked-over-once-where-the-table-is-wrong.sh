needs strace
mkdir tree
for number in {100..199}; do corpus random 60K >tree/$number; done
# A frame for each of them.
tar -cf a.tar tree/*
works "$SLUICE" -q --members -B64K a.tar
# reads: how many reads of the compressed file it takes to write a member.
reads() {
    strace -f -qq -e trace=read,pread64 -P a.tar.zst -P "$PWD/a.tar.zst" -o calls "$SLUICE" -d --member=tree/150 a.tar.zst >got 2>"$messages" || return
    same got tree/150
    wc -l <calls
}
calls=$(reads)
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
calls=$(reads)
[ "$calls" -gt 100 ] || fail "only $calls reads without a table that is right"
[ "$calls" -lt 180 ] || fail "$calls reads for the headers of a hundred frames"
