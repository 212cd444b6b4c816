. "$SCRIPTS/progress/terminal.bash"
corpus random 8M >data
# At the bottom of the terminal, where it is most of the time: tmux scrolls away what is at the top of an empty one.
terminal t 120 10 "seq 101 130; '$SLUICE' -c -B256K --limit-rate=2M data >/dev/null"
await shows t '%.*ETA'
for width in 60 200 30 100 20; do
    resize t $width 10
    sleep 0.4
    await shows t '[0-9]%'
    [ "$(lines t)" = 31 ] || fail "$width columns: $(screen t)"
done
await shows t END
[ "$(screen t | tr -d '\n ')" = "$(seq 101 130 | tr -d '\n')END" ] || fail "$(screen t)"
