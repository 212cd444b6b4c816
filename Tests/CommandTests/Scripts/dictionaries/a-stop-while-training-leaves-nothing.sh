corpus text 20M >large
corpus text 2K >old
cp old dictionary
spawn status "$SLUICE" -f --train-cover large -B2K &
await test -s status.pid
sleep 0.5
start=$(now)
kill -TERM "$(cat status.pid)"
ended status SIGTERM 1 "$start"
same dictionary old
no_leftovers
