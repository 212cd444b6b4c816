# Past the page cache slots come back when frames are copied into a block: all of them could be in use when the output ran
# dry, and nobody was left to say that the buffer is full enough.
needs xz
corpus random 3M >a
for words in '-19 -B64K --buffer=512K --buffer-start=50' '-12 -B128K -T3 --buffer=256K --buffer-start=64' \
    '-1 -B64K --buffer=64K --buffer-start=100' '-1 -B32K -T1 --buffer=2M --buffer-start=1' '-1 -B1M --buffer-start=100'; do
    # shellcheck disable=SC2086
    works timeout 20 "$SLUICE" -q $words -f a -o out.zst
    zstd -dcq out.zst | cmp - a
    # shellcheck disable=SC2086
    works timeout 20 "$SLUICE" -q $words <a >out.zst
    zstd -dcq out.zst | cmp - a
    works timeout 20 "$SLUICE" -q -f -d -T2 --buffer=64M --buffer-start=90 out.zst -o back
    same back a
done
# The reader waits for a window that the block before has, whose output is held back.
head -c 200M /dev/zero | xz -1 -T2 --block-size=64MiB >zeros.xz
for level in 50 100; do
    works timeout 20 "$SLUICE" -qdf --buffer=512M --buffer-start=$level zeros.xz
    [ "$(stat -c %s zeros)" = $((200 << 20)) ]
done
