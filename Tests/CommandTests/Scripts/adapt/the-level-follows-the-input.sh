# Alone: it measures time.
# Long: it measures how a level follows a rate.
. "$SCRIPTS/adapt/tools.bash"
# A slow producer leaves time for a higher level, and is not kept waiting; a fast one gets one at which nobody waits.
rate 3000000
endless | pipe | "$SLUICE" --adapt=max=9 --progress=json --interval=0.1 2>lines >/dev/null &
await test -s lines
follows 6 level -ge 7
follows 3 pace -ge 2000000
rate 0
follows 3 level -le 5
follows 3 pace -ge 20000000
rate 3000000
follows 3 level -ge 7
rate ''
wait
