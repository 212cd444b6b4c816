corpus text 100K >a
chmod 640 a
chown 1234:2345 a
touch -d '2001-02-03 04:05:06.123456789' a
state() { stat -c '%a %u %g %y' "$1"; }
wanted=$(state a)
works "$SLUICE" -q a
[ "$(state a.zst)" = "$wanted" ]
rm a
works "$SLUICE" -qd a.zst
[ "$(state a)" = "$wanted" ]
works "$SLUICE" -q a -o b
[ "$(state b)" = "$wanted" ]
chmod 4755 a
works "$SLUICE" -qf a
[ "$(stat -c %a a.zst)" = 4755 ]
# Whoever can't give the file away gives no rights of the owner's away either.
chmod 711 "$LOGS"
chmod 777 .
chmod 4755 a
rm a.zst
works ordinary "$SLUICE" -q a
[ "$(stat -c '%a %u' a.zst)" = '755 65534' ] || [ "$(stat -c '%a %u' a.zst)" = '705 65534' ]
# In place nothing is copied.
touch in-place
works "$SLUICE" -qc a >in-place
[ "$(stat -c %a in-place)" != 4755 ]
