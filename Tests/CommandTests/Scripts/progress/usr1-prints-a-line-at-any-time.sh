corpus random 20M >data
# From the first instant on it never kills: the command that runs it ignores nothing.
for attempt in {1..15}; do
    spawn early$attempt "$SLUICE" -q --limit-rate=10M -c data 2>early$attempt.said >/dev/null &
    pid=$(pid early$attempt)
    # Until the program has begun, the signal would end what starts it.
    until [ "$(readlink "/proc/$pid/exe")" = "$SLUICE" ]; do :; done
    started() { grep -q '^SigCgt:.*[2367abef]..$' "/proc/$pid/status"; }
    await started
    kill -USR1 "$pid"
done
for attempt in {1..15}; do ended early$attempt 0; done
# A line for each signal, also with -q and no terminal, whatever the style.
for style in none bar plain json; do
    spawn $style "$SLUICE" -q -B256K --limit-rate=10M --progress=$style -c data 2>$style.said >/dev/null &
done
sleep 0.6
for style in none bar plain json; do kill -USR1 "$(pid $style)"; done
sleep 0.5
for style in none bar plain json; do kill -USR1 "$(pid $style)"; done
for style in none bar plain json; do
    ended $style 0
    [ "$(tr '\r' '\n' <$style.said | grep -cE '^(\S\[K)?(\S\[\?7l)?data +[0-9]+% [0-9.]+ MiB > [0-9.]+ MiB [01]\.[0-9]+x .*[0-9.]+ [MK]iB/s avg .* 0:0[0-9] ETA 0:0[0-9]$')" -ge 2 ] || fail "$style: $(cat -v $style.said)"
done
[ "$(wc -l <none.said)" = 2 ] || fail "$(cat none.said)"
# A run that waits for its input answers, too.
mkfifo silent
exec 8<>silent
spawn waits "$SLUICE" -q -c <silent 2>said >/dev/null &
sleep 0.5
kill -USR1 "$(pid waits)"
await grep -q '0:00' said
kill -TERM "$(pid waits)"
ended waits SIGTERM
