# A signal between the name of the output and the end of the process: there is nothing left that the same command could
# continue, and none says so.
corpus text 30M >a
delays="-e inject=rename,renameat,renameat2,linkat:delay_exit=1500000"
# shellcheck disable=SC2086
spawn end strace -D -f -qq -o "$LOGS/strace" -e trace=rename,renameat,renameat2,linkat $delays \
    env --default-signal=TERM "$SLUICE" -q --resume -B1M a -o a.zst 2>said &
pid end >/dev/null
await test -e a.zst
kill -TERM "$(pid end)"
await test -s end.time
case $(cat end) in 0 | SIGTERM) ;; *) fail "ended with $(cat end)" ;; esac
if grep -v '^strace: ' said; then fail 'not silent'; fi
"$SLUICE" -qdc a.zst | cmp - a
no_leftovers
wait
