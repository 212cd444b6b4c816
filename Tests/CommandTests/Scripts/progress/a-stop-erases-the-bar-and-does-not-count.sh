. "$SCRIPTS/progress/terminal.bash"
corpus random 6M >data
terminal t 100 6 "'$SLUICE' -c -B256K --limit-rate=2M data >/dev/null & echo \$! >pid; wait \$!; while kill -0 \$! 2>/dev/null; do wait \$!; done"
await shows t '%.*ETA'
pid=$(cat pid)
state() { [ "$(sed 's/.*) //' "/proc/$pid/stat" | cut -c 1)" = "$1" ]; }
kill -TSTP "$pid"
await state T
sleep 0.2
[ "$(lines t)" = 0 ] || fail "$(screen t)"
sleep 3
kill -CONT "$pid"
await shows t '%.* 0:0[0123] +ETA'
await shows t END
[ "$(screen t | tr -d '\n ')" = END ] || fail "$(screen t)"

# Neither does one that is not announced.
spawn end "$SLUICE" -c -B256K --limit-rate=2M --progress=json data >/dev/null 2>lines &
pid=$(pid end)
sleep 1.2
kill -STOP "$pid"
sleep 4
kill -CONT "$pid"
ended end 0
tail -n 1 lines | grep -oE '"elapsedSeconds":[0-9.]+' | cut -d: -f2 | awk '{ exit !($1 > 2 && $1 < 5.5) }' || fail "$(cat lines)"
