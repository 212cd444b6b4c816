# 540 bytes become 16 MiB: too much to be written for nothing.
needs strace
for name in a b; do
    corpus zeros 16M | zstd -q -o $name.zst
    echo old >$name
done
fails strace -f -qq -o "$LOGS/calls" -e trace=write,syncfs "$SLUICE" -d a.zst b.zst </dev/null
for name in a b; do
    says "$name: already exists: not replaced"
    [ "$(cat $name)" = old ]
done
if grep -E 'write.* = [0-9]{6,}$' "$LOGS/calls"; then fail 'written all the same'; fi
