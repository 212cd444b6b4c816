# Small ones whole, those of a file on all workers, and one that is too large to be held in parts.
corpus text 40M >large
head -c 5M large >several
head -c 10K large >small
zstd -q --no-progress large small
works "$SLUICE" -q -B1M several
for name in large small several; do
    # The checksum ends the frame: the only one, or the first one of several.
    end=$(size $name.zst)
    [ $name != several ] || end=$(perl -e 'local $/; $_ = <>; my $n = unpack "V", substr $_, -9, 4; print unpack "V", substr $_, -9 - 12 * $n, 4' <several.zst)
    printf '\xAA\x55\xAA\x55' | dd of=$name.zst bs=1 seek=$((end - 4)) conv=notrunc status=none
    fails "$SLUICE" -t $name.zst
    works "$SLUICE" -t --no-check $name.zst
    works "$SLUICE" -d --no-check $name.zst -o out -f
    same out $name
    works "$SLUICE" -dc --no-check <$name.zst >out
    same out $name
    fails "$SLUICE" -d --no-check --check $name.zst -o out -f
done
cp small.zst again.zst
works "$SLUICE" -t --no-check small.zst again.zst
fails "$SLUICE" -t small.zst again.zst
