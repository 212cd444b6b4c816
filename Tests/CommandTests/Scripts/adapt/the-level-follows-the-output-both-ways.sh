# Alone: it measures time.
# Long: it measures how a level follows a rate.
. "$SCRIPTS/adapt/tools.bash"
# Slow, fast, and slow again: soon the level is another one, and so is what comes.
rate 1000000
endless | "$SLUICE" --adapt=max=9 --progress=json --interval=0.1 2>lines | pipe >/dev/null &
await test -s lines
follows 6 level -ge 6
for _ in one two; do
    follows 3 level -ge 6
    follows 3 pace -le 1200000
    rate 0
    follows 3 level -le 5
    follows 3 pace -ge 10000000
    rate 1000000
done
rate ''
wait
