corpus text 300K >a
"$SLUICE" <a >a.zst
"$SLUICE" -d <a.zst >b
same a b
cat a | "$SLUICE" -c - | "$SLUICE" -dc - | cmp - a
# Nothing is said in a pipe.
works "$SLUICE" <a >/dev/null
silent
