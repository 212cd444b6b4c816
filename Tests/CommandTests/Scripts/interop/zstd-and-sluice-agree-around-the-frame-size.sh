corpus text 4M >all
for frame in 65536 1048576; do
    for count in 1 2 3; do
        for size in $((count * frame - 1)) $((count * frame)) $((count * frame + 1)); do
            head -c "$size" all >a
            "$SLUICE" -q -f --fast=5 -B$frame a
            zstd -dc a.zst | cmp - a
            "$SLUICE" -d <a.zst | cmp - a
            "$SLUICE" -dc a.zst | cmp - a
            # Nothing but one ordinary frame if the data fits it.
            frames=$(((size + frame - 1) / frame))
            skipped=$((frames > 1 ? 2 : 0))
            [ "$("$SLUICE" -l a.zst | awk 'NR == 2 { print $1, $2 }')" = "$frames $skipped" ]
        done
    done
done
