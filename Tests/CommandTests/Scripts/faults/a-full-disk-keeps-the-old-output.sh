small_disk disk 8M
corpus random 12M >a
echo old >disk/out
fails "$SLUICE" -f -B1M a -o disk/out
says 'no space left on device'
[ "$(cat disk/out)" = old ]
no_leftovers disk
# Nothing appears where nothing was.
fails "$SLUICE" -B1M a -o disk/new
absent disk/new
no_leftovers disk
# Standard output on the full disk.
fails "$SLUICE" -B1M -c a >disk/redirect
says 'standard output: can'
rm disk/redirect
# And the way back.
corpus text 2M >b
"$SLUICE" -q b -o disk/b.zst
"$SLUICE" -q -c a | fails "$SLUICE" -d -o disk/back
absent disk/back
corpus zeros 30M | "$SLUICE" -o disk/zeros.zst
fails "$SLUICE" -d --no-sparse --rm disk/zeros.zst
[ -e disk/zeros.zst ]
absent disk/zeros
no_leftovers disk
rm disk/out
works "$SLUICE" -qd disk/b.zst
same disk/b b
