corpus text 100K >a
(head -c 0; dd bs=1 count=1000 of=/dev/null status=none; exec "$SLUICE") <a >rest.zst
zstd -dc rest.zst | cmp - <(tail -c +1001 a)
(echo before; "$SLUICE" -c a; echo after) >out
cmp -n 7 out <(echo before)
tail -c +8 out | head -c -6 | zstd -dc | cmp - a
[ "$(tail -n 1 out)" = after ] || tail -c 6 out | grep -q after
# To the end of a file that is open for appending.
"$SLUICE" -c a >twice.zst
"$SLUICE" -c a >>twice.zst
cat a a | cmp - <("$SLUICE" -dc twice.zst)
# At its end there is nothing.
(cat >/dev/null; exec "$SLUICE") <a | zstd -dc | cmp - /dev/null
