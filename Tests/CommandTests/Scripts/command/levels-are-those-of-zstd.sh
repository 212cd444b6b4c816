corpus text 400K >a
previous=999999999
for level in --fast=10 -1 -6 -19; do
    works "$SLUICE" $level -c a >a.zst
    zstd -dc a.zst | cmp - a
    [ "$(size a.zst)" -lt $previous ] || fail "$level is not smaller"
    previous=$(size a.zst)
done
"$SLUICE" -c a >three
"$SLUICE" -3 -c a >explicit
same three explicit
works "$SLUICE" -20 -c a >twenty.zst
says 'warning: level 20 is too high'
"$SLUICE" -19 -c a >nineteen.zst
same twenty.zst nineteen.zst
works "$SLUICE" -q -20 -c a >twenty.zst
silent
works "$SLUICE" --ultra -22 -c a >22.zst
silent
zstd -dc 22.zst | cmp - a
"$SLUICE" --fast -c a >fast
"$SLUICE" --fast=1 -c a >fast1
same fast fast1
