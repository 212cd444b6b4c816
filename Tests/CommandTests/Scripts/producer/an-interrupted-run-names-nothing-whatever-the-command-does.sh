# A signal means that no file gets a name, also if the command ends by it with exit code 0, or the run could end its stream.
needs tmux
echo old >old
# Runs a command in a group of its own, sends a signal to it or to the group after some time, and prints the signal that
# ended it.
cat >signalled.pl <<'EOF'
my ($signal, $seconds, $whole, @command) = @ARGV;
my $pid = fork // die;
if (!$pid) { setpgrp; exec @command or die }
# Whichever is first.
setpgrp $pid, $pid;
select undef, undef, undef, $seconds;
kill $signal, $whole ? -$pid : $pid;
waitpid $pid, 0;
print $? & 127, "\n";
EOF
rounds=6
! is_long || rounds=60
for words in -q --flush-interval=5; do
    for command in 'trap "exit 0" INT TERM; while sleep 0.05; do echo a; done' 'trap "exit 7" INT TERM; while sleep 0.05; do echo a; done' \
        'exec sleep 30' 'exec perl -e "\$SIG{INT} = \$SIG{TERM} = sub { exit 0 }; \$| = 1; print q(a); sleep 30"'; do
        for ((round = 0; round < rounds; round++)); do
            cp old out
            case $((round % 2)) in 0) signal=INT number=2 ;; 1) signal=TERM number=15 ;; esac
            code=$(perl signalled.pl $signal "0.$((RANDOM % 3))$((RANDOM % 10))" $((round % 3)) "$SLUICE" -qf $words -o out \
                --from-command -- bash -c "$command" 2>"$messages")
            [ "$code" = $number ] || fail "$words, $command: ended by signal $code"
            same out old
            # The shell may say that its own child was terminated.
            if grep -q '^sluice: ' "$messages"; then fail "it says: $(cat "$messages")"; fi
        done
    done
done
# What has no interpreter is the shell's, as with other programs that run commands.
printf 'echo from a script\n' >script.sh
chmod +x script.sh
"$SLUICE" -qc --from-command -- ./script.sh | zstd -dcq | grep -qx 'from a script'
# A command in a group of its own, as timeout makes one, does not get the terminal's signal: it is passed on.
cat >command <<'EOF'
echo $$ >pid
trap "echo got >got; exit 5" INT
while :; do sleep 0.1; done
EOF
# shellcheck source=Tests/CommandTests/Scripts/progress/terminal.bash
. "$SCRIPTS/progress/terminal.bash"
terminal t 80 24 "exec '$SLUICE' -q -o none --from-command -- timeout 60 bash command"
await test -s pid
sleep 0.3
tmux -S "$PWD/t.tmux" send-keys C-c
await test -s got
absent none
