# Runs a command and prints the most memory that it had, in KiB.
use strict;
use warnings;
use constant RUSAGE_CHILDREN => -1;

my $pid = fork;
if ($pid == 0) {
    exec {$ARGV[0]} @ARGV or die "$ARGV[0]: $!";
}
my $peak = 0;
# The high-water mark is there until the process is reaped.
while (waitpid($pid, 1) == 0) {
    if (open my $status, '<', "/proc/$pid/status") {
        while (<$status>) { $peak = $1 if /^VmHWM:\s+(\d+)/ and $1 > $peak }
    }
    select undef, undef, undef, 0.005;
}
print "$peak\n";
