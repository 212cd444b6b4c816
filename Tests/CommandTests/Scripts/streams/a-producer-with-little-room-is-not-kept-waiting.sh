# 40 MB through a socket that holds 4 KiB: a millisecond before each read would make ten seconds of it.
export SIZE=40000000
perl -MSocket -e '
    socketpair my $ours, my $theirs, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die;
    setsockopt $ours, SOL_SOCKET, SO_SNDBUF, 1 or die;
    if (!fork) { open STDIN, "<&", $theirs or die; close $ours; close $theirs; exec $ENV{SLUICE}, "-1" }
    close $theirs;
    my $piece = "x" x 10000;
    for (1 .. $ENV{SIZE} / 10000) { syswrite $ours, $piece or die }
    close $ours;
    wait' >out.zst &
timeout 5 tail --pid=$! -f /dev/null || fail 'not done after 5 s'
wait $!
[ "$(zstd -dcq out.zst | wc -c)" = $SIZE ]
