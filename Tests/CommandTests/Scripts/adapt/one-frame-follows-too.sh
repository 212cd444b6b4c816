# Alone: it measures time.
# Long: it measures how a level follows a rate.
. "$SCRIPTS/adapt/tools.bash"
ln -s "$SLUICE" zstd
rate 300000
endless | ./zstd --adapt=max=9 --progress=json --interval=0.1 2>lines | pipe >/dev/null &
await test -s lines
follows 10 level -eq 9
rate 0
# How far it falls depends on the machine: where the producer can't keep up with level 6, that is right.
follows 3 level -le 7
follows 3 pace -ge 5000000
rate ''
wait
# It is one frame, whatever becomes of the level, and whole.
rate 4000000
pipe <text | ./zstd --adapt=max=9 --progress=json --interval=0.1 2>lines >frame.zst &
await test -s lines
follows 6 level -ge 7
rate 0
wait
zstd -q -d -c frame.zst >back
same back text
[ "$(zstd -l frame.zst | awk 'END { print $1 }')" = 1 ]
