# Its pieces have few slots of their own: a buffer that waited for them to fill it would wait for ever.
head -c 150M /dev/zero | tr '\0' x | zstd -q -1 -T0 >frame.zst
timeout 20 "$SLUICE" -dc --buffer-start=50 frame.zst | cmp - <(head -c 150M /dev/zero | tr '\0' x)
cat frame.zst frame.zst | timeout 20 "$SLUICE" -dc --buffer=64M --buffer-start=100 | wc -c >size
[ "$(cat size)" = $((300 << 20)) ]
head -c 40M /dev/urandom >random
timeout 20 "$SLUICE" --single-frame --buffer-start=100 <random | zstd -dc | cmp - random
