corpus text 300K >a
mkfifo pipe
cat pipe >got &
works "$SLUICE" -q a -o pipe
wait $!
[ -p pipe ]
zstd -dc got | cmp - a
works "$SLUICE" -q a -o /dev/null
[ -c /dev/null ]
[ "$(stat -c %a /dev/null)" = 666 ]
works "$SLUICE" -qf -d got -o /dev/null
[ -c /dev/null ]
"$SLUICE" a -o /dev/stdout | zstd -dc | cmp - a
"$SLUICE" -q a -o /dev/stdout >file
zstd -dc file | cmp - a
if mknod null c 1 3 2>/dev/null; then
    works "$SLUICE" -q a -o null
    [ -c null ]
fi
# It is no reason to remove the source.
cat pipe >got &
"$SLUICE" -q --rm a -o pipe || true
wait $!
"$SLUICE" -q --rm a -o /dev/null || true
"$SLUICE" -q --rm -c a >/dev/null || true
[ -e a ]
no_leftovers
