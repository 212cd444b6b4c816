# A pipe that becomes a link to somebody's file, between the look at it and its opening.
needs strace
echo mine >victim
mkfifo pipe
corpus text 1K >a
strace -f -qq -o trace -P pipe -P "$PWD/pipe" -e trace=openat -e inject=openat:delay_enter=1500000 \
    "$SLUICE" -qf --no-sandbox a -o pipe 2>"$messages" &
await test -s trace || true
sleep 0.7
rm pipe
ln -s victim pipe
code=0
wait $! || code=$?
[ $code = 1 ] || fail "exit code $code"
grep -q 'has just been replaced' "$messages" || fail "$(cat "$messages")"
[ "$(cat victim)" = mine ]
