needs script
corpus text 2M >a
"$SLUICE" -q a
cat >flags.pl <<'PERL'
use Fcntl;
printf "flags %o\n", fcntl $_, F_GETFL, 0 for *STDIN, *STDOUT, *STDERR;
PERL
cat >session <<'SHELL'
perl flags.pl >before
"$SLUICE" -dc a.zst >/dev/tty
"$SLUICE" -f a
timeout --foreground -s INT 0.5 "$SLUICE" -f >out.zst || true
perl flags.pl >after
SHELL
sleep 3 | script -qec "bash session" /dev/null >said
[ -s before ]
same before after
