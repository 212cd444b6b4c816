# Nothing is read faster than it is written.
corpus random 16M >part
mkfifo data
spawn status "$SLUICE" -T2 -1 < <(for _ in {1..20}; do cat part; done 2>/dev/null) >data &
exec 7<data
sluice=$(pid status)
sleep 2
peak=$(awk '/^VmHWM:/ { print $2 }' "/proc/$sluice/status")
[ "$peak" -lt 100000 ] || fail "$peak KiB"
exec 7<&-
ended status SIGPIPE
