# tar writes 10 KiB at a time. A read of each piece would cost more than the work on it.
perl -MTime::HiRes=time -e '$| = 1; for (1 .. 2000) { print "x" x 10240; my $pause = time + 1e-4; 1 while time < $pause }' |
    "$SLUICE" -1 --stats-file=stats.json >out.zst
[ "$(zstd -dc out.zst | wc -c)" = 20480000 ]
operations=$(perl -0ne 'print $1 if /"name"\s*:\s*"read",\s*"operations"\s*:\s*(\d+)/' stats.json)
[ "$operations" -lt 1000 ]
