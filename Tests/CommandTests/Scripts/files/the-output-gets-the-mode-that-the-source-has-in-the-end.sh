corpus random 800K >a
chmod 644 a
"$SLUICE" -q --limit-rate 400K -B256K a &
sleep 0.5
# Whoever does this does not want a copy that all may read.
chmod 600 a
wait $!
[ "$(stat -c %a a.zst)" = 600 ]
