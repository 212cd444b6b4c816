# On whichever thread it is taken, and from the program's first instant on.
corpus text 2M >a
cat >burst.pl <<'EOF'
# Runs the command again and again, each time with signals that begin a little later.
use Time::HiRes qw(usleep);
for my $round (0 .. 119) {
    my $pid = fork // die;
    if (!$pid) { open STDOUT, ">", "out"; open STDERR, ">", "said"; exec @ARGV or die }
    usleep 4000 + 100 * $round;
    for (1 .. 20) { kill USR1 => $pid; usleep 200 }
    waitpid $pid, 0;
    die "round $round ended with $?\n" if $?;
}
EOF
perl burst.pl "$SLUICE" -q -B64K -T2 -c a
zstd -dcq out | cmp - a
