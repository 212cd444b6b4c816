mkfifo data
(umask 0; exec "$SLUICE" -q -o out.zst) <data &
exec 8>data
[ "$(stat -c %a "$(temporary)")" = 600 ]
absent out.zst
echo data >&8
exec 8>&-
wait $!
[ "$(stat -c %a out.zst)" = 666 ]
