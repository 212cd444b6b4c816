corpus random 24M >a
mkfifo data
spawn status "$SLUICE" -B1M -c a >data &
exec 7<data
sluice=$(pid status)
sleep 1
ticks() { awk '{ print $14 + $15 }' "/proc/$sluice/stat"; }
before=$(ticks)
sleep 1
[ $(($(ticks) - before)) -le 5 ] || fail "it spins: $(($(ticks) - before)) ticks in a second"
exec 7<&-
ended status SIGPIPE
