. "$SCRIPTS/rsyncable/tools.bash"
# As 256 MiB in frames of up to 8 MiB, half that on average.
noise $((32 << 20)) 1 >a
changed a >b
works "$SLUICE" -q -1 -B1M --rsyncable a b
[ "$(recurring a.zst b.zst)" -ge 950 ] || fail "$(recurring a.zst b.zst) thousandths recur"
# Without it, hardly any does.
works "$SLUICE" -q -1 -c -B512K a >plain.zst
works "$SLUICE" -q -1 -c -B512K b >changed.zst
[ "$(recurring plain.zst changed.zst)" -le 50 ] || fail 'frames of equal size recur'
# Every zstd reads it.
zstd -q -d -c b.zst | cmp - b
# The bytes depend on the content alone.
for threads in 1 2 5; do
    "$SLUICE" -q -c -1 -B1M --rsyncable -T$threads a | cmp - a.zst
    cat a | "$SLUICE" -q -1 -B1M --rsyncable -T$threads | cmp - a.zst
done
