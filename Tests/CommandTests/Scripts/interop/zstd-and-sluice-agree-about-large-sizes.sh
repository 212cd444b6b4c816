corpus text 65M >all
if is_long; then most=26; else most=24; fi
for ((power = 22; power <= most; power++)); do
    for size in $((2 ** power - 1)) $((2 ** power)) $((2 ** power + 1)); do
        head -c "$size" all | "$SLUICE" --fast=5 >a.zst
        zstd -dc a.zst | cmp - <(head -c "$size" all)
        [ "$("$SLUICE" -dc a.zst | wc -c)" = "$size" ]
    done
    head -c "$size" all | zstd --fast=5 -q | "$SLUICE" -d | cmp -n "$size" - all
done
