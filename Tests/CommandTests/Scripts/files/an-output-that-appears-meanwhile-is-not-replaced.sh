mkfifo data
"$SLUICE" -o out <data 2>"$messages" &
exec 8>data
temporary >/dev/null
echo 'of somebody else' >out
echo data >&8
exec 8>&-
code=0
wait $! || code=$?
[ $code = 1 ]
says 'out: '
[ "$(cat out)" = 'of somebody else' ]
no_leftovers
# Nor a link that appears followed.
rm out
echo precious >precious
"$SLUICE" -o out <data 2>"$messages" &
exec 8>data
temporary >/dev/null
ln -s precious out
exec 8>&-
wait $! && fail 'replaced a link'
[ "$(cat precious)" = precious ]
no_leftovers
