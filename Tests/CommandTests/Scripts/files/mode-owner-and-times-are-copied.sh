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
# What set-user-ID was given to is not what is made from it.
[ "$(stat -c %a a.zst)" = 755 ]
# Whoever can't give the file away gives no rights away either: its group has others in it.
chmod 711 "$LOGS"
chmod 777 .
for modes in 4755:755 644:644 664:644 654:644 604:600; do
    rm a.zst
    chmod ${modes%:*} a
    works ordinary "$SLUICE" -q a
    [ "$(stat -c '%a %u' a.zst)" = "${modes#*:} 65534" ] || fail "$modes: $(stat -c %a a.zst)"
done
# In place nothing is copied.
touch in-place
works "$SLUICE" -qc a >in-place
[ "$(stat -c %a in-place)" != 4755 ]
