corpus text 200K >text
corpus binary 200K >binary
for level in {1..19}; do
    for name in text binary; do
        "$SLUICE" -$level -B64K -c $name >$name.zst
        zstd -dc $name.zst | cmp - $name
        "$SLUICE" -dc $name.zst | cmp - $name
    done
done
