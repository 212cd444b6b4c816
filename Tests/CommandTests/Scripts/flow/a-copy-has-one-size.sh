. "$SCRIPTS/progress/terminal.bash"
corpus random 3M >data
works "$SLUICE" --copy data -o copy
same data copy
says 'data: 3.00 MiB in '
[ "$(grep -cE '>|[0-9]x' "$messages")" = 0 ] || fail "$(cat "$messages")"
terminal t 100 5 "'$SLUICE' --copy --limit-rate=2M data -o other"
await shows t '^data \[=*> *\] +[0-9]+% +[0-9.]+ [MK]iB +[0-9.]+ [MK]iB/s '
shows_not t '>.*>.*iB'
await shows t END
"$SLUICE" --copy --limit-rate=2M --progress=plain data 2>plain >/dev/null &
spawn line "$SLUICE" --copy -q --limit-rate=2M data 2>said >/dev/null &
pid=$(pid line)
sleep 0.8
kill -USR1 "$pid"
ended line 0
grep -qE '^data +[0-9]+% [0-9.]+ [MK]iB [0-9.]+ [MK]iB/s avg ' said || fail "$(cat said)"
wait
