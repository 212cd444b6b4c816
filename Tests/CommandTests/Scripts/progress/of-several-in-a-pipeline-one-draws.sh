. "$SCRIPTS/progress/terminal.bash"
corpus random 8M >data
# kind NAME: whose bar is on the screen; it must be alone, and nothing of another one may be left in its line.
kind() {
    local line
    line=$(screen "$1")
    if [[ $line =~ ^data\ \[=*\>?\ *\]\ +[0-9]+%\ +[0-9.]+\ [KM]iB\ .*\ ETA\ +0:[0-9]+$ ]]; then echo first; fi
    if [[ $line =~ ^\ *[0-9.]+\ [KM]iB\ .*[0-9a-z]\ +0:[0-9]+$ ]]; then echo second; fi
}
first="'$SLUICE' --copy --limit-rate=2M data"
second="'$SLUICE' --copy"
terminal both 79 8 "($first; sleep 3) | $second | '$SLUICE' -q --progress=bar --limit-rate=4M >out"
terminal killed 79 8 "(sh -c 'echo \$\$ >pid; exec $first'; sleep 3) | $second | cat >/dev/null"
# Who knows how much there is goes first, whoever began.
firsts() { [ "$(kind "$1")" = first ]; }
await firsts both
await firsts killed
kinds=$(for _ in {1..10}; do
    kind both
    sleep 0.1
done | sort -u)
[ "$kinds" = first ] || fail "$kinds"
kill -KILL "$(cat pid)"
# When the first has ended, however it did, the next one draws.
await shows killed '^ *[0-9.]+ [KM]iB .*(iB/s|stalled).* 0:[0-9]+$'
await shows both '^ *8.00 MiB .*(iB/s|stalled)'
# In the end the last line of each stays.
await shows both END
await shows killed END
shows both '^data .*100% +8.00 MiB ' || fail "$(screen both)"
shows both '^8.00 MiB +[0-9.]+ [MK]iB/s ' || fail "$(screen both)"
[ "$(lines both)" -ge 3 ] || fail "$(screen both)"
# A message erases the bar of another process, which is drawn again below it.
terminal message 79 8 "$first | (sleep 0.6; '$SLUICE' --progress=bar --limit-rate=4M - missing -c) | cat >/dev/null"
await shows message END
shows message '^sluice: missing: can.t open: no such file or directory$' || fail "$(screen message)"
