# On whichever thread it is taken, and from the program's first instant on.
corpus text 12M >a
cat >burst.pl <<'EOF'
# Runs the command again and again, each time with signals that begin a little later: from when it catches them, for before
# that they would end whatever is there.
use Time::HiRes qw(usleep);
sub caught {
    open my $status, "<", "/proc/$_[0]/status" or return 0;
    while (<$status>) { return hex(substr $1, -8) & 0x200 if /^SigCgt:\s*(\S+)/ }
    return 0;
}
my $rounds = shift;
for my $round (0 .. $rounds - 1) {
    my $pid = fork // die;
    if (!$pid) { open STDOUT, ">", "out"; open STDERR, ">", "said"; exec @ARGV or die }
    until (caught($pid)) { waitpid($pid, 1) == 0 or die "round $round ended before it caught a signal\n" }
    usleep 160 * 50 / $rounds * $round;
    for (1 .. 20) { kill USR1 => $pid; usleep 200 }
    waitpid $pid, 0;
    die "round $round ended with $?\n" if $?;
}
EOF
if is_long; then rounds=50; else rounds=12; fi
perl burst.pl $rounds "$SLUICE" -q -B64K -T2 -c a
zstd -dcq out | cmp - a
# That instant is before the constructors of the libraries that are linked in.
gcc -shared -fPIC -o early.so -x c - <<'EOF'
#include <signal.h>
__attribute__((constructor)) static void early(void) { raise(SIGUSR1); }
EOF
LD_PRELOAD=$PWD/early.so works "$SLUICE" -t out
