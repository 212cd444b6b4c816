corpus text 100K >a
# Small files are done together, whatever their order.
corpus text 5M >c
mkfifo b
spawn status "$SLUICE" -q -f a b c &
await test -e a.zst
exec 8>b
kill -INT "$(pid status)"
ended status SIGINT
zstd -t -q a.zst
absent b.zst c.zst
no_leftovers
