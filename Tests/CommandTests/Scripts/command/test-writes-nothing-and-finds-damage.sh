corpus text 3M >a
works "$SLUICE" -q -B1M a
rm a
works "$SLUICE" -t a.zst
[ "$(ls -A)" = a.zst ]
works "$SLUICE" -t <a.zst
perl -pi -e 'BEGIN { undef $/ } substr($_, 700000, 1) ^= "\x10"' a.zst
fails "$SLUICE" -t a.zst
says 'a.zst: '
fails "$SLUICE" -t --rm a.zst
[ -e a.zst ]
works "$SLUICE" -t --rm "$FIXTURES/one-byte.zst"
[ -e "$FIXTURES/one-byte.zst" ]
