corpus random 6M >a
echo old >a.zst
# In blocks of 1 KiB.
code=0
(ulimit -f 2048; exec "$SLUICE" -f -B1M a) 2>"$messages" || code=$?
[ $code = $((128 + 25)) ] || fail "exit code $code"
says 'file too large'
[ "$(cat a.zst)" = old ]
no_leftovers
# With the signal ignored it is an error like others.
code=0
(trap '' XFSZ; ulimit -f 2048; exec "$SLUICE" -f -B1M a) 2>"$messages" || code=$?
[ $code = 1 ] || fail "exit code $code"
says 'file too large'
[ "$(cat a.zst)" = old ]
no_leftovers
