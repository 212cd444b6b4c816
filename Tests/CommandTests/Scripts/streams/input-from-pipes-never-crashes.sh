# The end of a pipe that is empty, again and again: libdispatch's event loop has crashed there once in a thousand times.
if is_long; then runs=300; else runs=30; fi
for ((index = 0; index < runs; index++)); do
    (head -c $((index * 300000 / runs)) /dev/zero; sleep 0.00$((index % 10))) | "$SLUICE" -T1 -o out.zst -qf --no-sync || fail "run $index"
done
