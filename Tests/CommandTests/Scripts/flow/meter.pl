# Reads standard input to its end and writes what it saw to the file: bytes, seconds, bytes per second, the longest pause,
# and the most that came within half a second. SLOWLY=BYTES reads no more than that each second, WAIT=SECONDS begins late.
use strict;
use warnings;
use Time::HiRes qw(time sleep);

my ($file) = @ARGV;
sleep $ENV{WAIT} if $ENV{WAIT};
my $start = $ENV{START} // time;
my ($first, $last, $longest, $sum, $burst, @window) = (0, $start, 0, 0, 0);
while (my $count = sysread STDIN, my $bytes, $ENV{SLOWLY} ? 65536 : 1 << 20) {
    my $now = time;
    $first ||= $now;
    $longest = $now - $last if $now - $last > $longest;
    $last = $now;
    $sum += $count;
    push @window, [$now, $count];
    shift @window while $window[0][0] < $now - 0.5;
    my $within = 0;
    $within += $_->[1] for @window;
    $burst = $within if $within > $burst;
    sleep 65536 / $ENV{SLOWLY} if $ENV{SLOWLY};
}
open my $out, '>', $file or die;
printf $out "%d %.3f %.0f %.3f %d %.3f\n", $sum, $last - $start, $sum / (($last - $start) || 1), $longest, $burst, ($first || $start) - $start;
