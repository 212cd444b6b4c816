corpus random 10M >large
corpus text 5 >small
: >empty
for name in large small empty; do
    fails "$SLUICE" -c $name >/dev/full
    says 'standard output: can'
    says 'no space left on device'
    fails "$SLUICE" -B1M <$name >/dev/full
    fails "$SLUICE" -c --single-frame $name >/dev/full
    fails "$SLUICE" $name -o /dev/full
    says '/dev/full: can'
    "$SLUICE" -q $name
    # There is nothing to write for an empty file.
    [ $name = empty ] || fails "$SLUICE" -dc $name.zst >/dev/full
    [ $name = empty ] || fails "$SLUICE" -d $name.zst -o /dev/full
done
[ -c /dev/full ]
