corpus text 300K >a
"$SLUICE" -c a >whole
"$SLUICE" <a | cmp - whole
cat a | "$SLUICE" | cmp - whole
mkfifo fifo
cat a >fifo &
"$SLUICE" <fifo | cmp - whole
"$SLUICE" </dev/null | zstd -dc | cmp - /dev/null
# Closed is not empty.
fails "$SLUICE" <&- >nothing
[ ! -s nothing ]
fails "$SLUICE" -d </dev/null
fails "$SLUICE" -d <&-
fails "$SLUICE" <.
says 'is a directory'
cat >socket.pl <<'PERL'
use strict; use warnings; use Socket;
# socket.pl FILE COMMAND...: FILE comes through a socket that is standard input and output, which go to standard output.
my ($file, @command) = @ARGV;
socketpair my $ours, my $theirs, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die;
my $pid = fork;
if (!$pid) {
    close $ours;
    open STDIN, '<&', $theirs; open STDOUT, '>&', $theirs; close $theirs;
    exec @command;
}
close $theirs;
my $writer = fork;
if (!$writer) {
    local $/;
    open my $in, '<:raw', $file; my $data = <$in>;
    syswrite $ours, substr $data, $_ << 16, 1 << 16 for 0 .. length($data) >> 16;
    shutdown $ours, 1;
    exit 0;
}
binmode STDOUT;
print $_ while sysread $ours, $_, 1 << 16;
waitpid $pid, 0;
exit($? >> 8 || $? & 127);
PERL
perl socket.pl a "$SLUICE" | cmp - whole
perl socket.pl whole "$SLUICE" -d | cmp - a
corpus random 12M >large
perl socket.pl large "$SLUICE" -1 -B1M >large.zst
perl socket.pl large.zst "$SLUICE" -d | cmp - large
