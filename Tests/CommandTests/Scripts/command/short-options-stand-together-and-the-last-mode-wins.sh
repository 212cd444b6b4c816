corpus text 10K >a
"$SLUICE" -qkf a
works "$SLUICE" -dcf a.zst >b
same a b
works "$SLUICE" -d -z -c a >c.zst
zstd -t c.zst 2>/dev/null
works "$SLUICE" -tdc a.zst >b
same a b
"$SLUICE" -of d.zst a
"$SLUICE" -fo d.zst a
"$SLUICE" -dfo d d.zst
same a d
works "$SLUICE" -T2 -19 -B1M a -qfo e.zst
zstd -dc e.zst | cmp - a
