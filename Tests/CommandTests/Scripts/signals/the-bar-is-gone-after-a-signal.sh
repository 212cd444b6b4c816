needs script
corpus random 4M >a
mkfifo data
cat >session <<'SHELL'
env --default-signal=INT "$SLUICE" -o out <data &
sleep 1
kill -INT $!
wait $! || echo "code $?"
SHELL
script -qec 'bash session' /dev/null >said </dev/null &
exec 8>data
cat a >&8
wait $!
exec 8>&-
grep -q 'code 130' said
no_leftovers
absent out
