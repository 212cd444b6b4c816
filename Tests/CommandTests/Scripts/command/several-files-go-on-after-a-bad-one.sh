for name in a b c; do corpus text 20K | sed "s/^/$name /" >$name; done
works "$SLUICE" -q a b c
for name in a b c; do mv $name $name.kept; done
printf 'no zstandard at all' >b.zst
fails "$SLUICE" -d a.zst b.zst missing.zst c.zst
says 'b.zst: '
says 'missing.zst: '
same a a.kept
same c c.kept
absent b
fails "$SLUICE" -t a.zst b.zst c.zst
fails "$SLUICE" -f a missing c
same c c.kept
no_leftovers
