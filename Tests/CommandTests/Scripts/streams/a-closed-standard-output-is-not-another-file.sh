corpus text 100K >a
works "$SLUICE" -q a >&-
zstd -dc a.zst | cmp - a
works "$SLUICE" -qf a <&- >&- 2>&-
zstd -dc a.zst | cmp - a
rm a
works "$SLUICE" -qd a.zst <&- >&-
[ "$(size a)" = 102400 ]
# With data for it, it is an error, and goes into no other file.
code=0
"$SLUICE" -c a >&- 2>"$messages" || code=$?
[ $code = 1 ]
says 'standard output'
zstd -qdc a.zst | cmp - a
