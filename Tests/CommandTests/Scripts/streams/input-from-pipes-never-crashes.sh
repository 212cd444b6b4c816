# The end of a pipe that is empty, again and again: libdispatch's event loop has crashed there once in a thousand times.
for ((index = 0; index < 300; index++)); do
    (head -c $((index * 1000)) /dev/zero; sleep 0.00$((index % 10))) | "$SLUICE" -T1 -o out.zst -qf --no-sync || fail "run $index"
done
