# A terminal or a socket on several descriptors is one open file description: who leaves it non-blocking breaks the shell.
corpus text 2M >a
"$SLUICE" -q -B64K a
cat >flags.pl <<'PERL'
use strict; use warnings; use Socket; use Fcntl;
# flags.pl BEFORE SIGNAL COMMAND...: runs the command on one socket for 0, 1 and 2; prints the flags before and after.
my ($before, $signal, @command) = @ARGV;
socketpair my $ours, my $theirs, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die;
my $flags = fcntl $theirs, F_GETFL, 0;
$flags |= O_NONBLOCK if $before;
fcntl $theirs, F_SETFL, $flags;
my $pid = fork;
if (!$pid) {
    $SIG{INT} = 'DEFAULT';
    open STDIN, '<&', $theirs; open STDOUT, '>&', $theirs; open STDERR, '>&', $theirs;
    exec @command;
}
if ($signal) {
    # Something moves, and then nothing.
    syswrite $ours, "x" x 1000;
    select undef, undef, undef, 0.5;
    kill $signal, $pid;
} else {
    shutdown $ours, 1;
    my $reader = fork;
    if (!$reader) { close $theirs; 1 while sysread $ours, $_, 1 << 16; exit }
}
waitpid $pid, 0;
my $end = $?;
my $after = fcntl $theirs, F_GETFL, 0;
printf "%s %s\n", $end & 127 ? "signal" : "exit", $after == $flags ? "kept" : sprintf "%o instead of %o", $after, $flags;
PERL
for before in 0 1; do
    [ "$(perl flags.pl $before '' "$SLUICE" -dc a.zst)" = 'exit kept' ]
    [ "$(perl flags.pl $before '' "$SLUICE" -c a)" = 'exit kept' ]
    [ "$(perl flags.pl $before '' "$SLUICE")" = 'exit kept' ]
    [ "$(perl flags.pl $before '' "$SLUICE" -d)" = 'exit kept' ]
    [ "$(perl flags.pl $before '' "$SLUICE" -c missing)" = 'exit kept' ]
    for signal in INT TERM HUP; do
        [ "$(perl flags.pl $before $signal "$SLUICE")" = 'signal kept' ]
        [ "$(perl flags.pl $before $signal "$SLUICE" -c -)" = 'signal kept' ]
    done
    # Blocked in a write to a full socket.
    [ "$(perl flags.pl $before TERM "$SLUICE" -B64K -c "$SLUICE")" = 'signal kept' ]
done
