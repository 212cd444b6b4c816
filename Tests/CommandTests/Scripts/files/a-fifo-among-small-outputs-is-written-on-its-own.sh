# Their readers come one after the other: none of them may wait for another's file.
for name in a b c; do
    echo $name >$name
    mkfifo $name.zst
done
timeout 20 "$SLUICE" -q -T2 -f a b c </dev/null &
sluice=$!
for name in a b c; do [ "$(timeout 10 cat $name.zst | zstd -dc)" = $name ] || fail "$name does not end"; done
wait $sluice
