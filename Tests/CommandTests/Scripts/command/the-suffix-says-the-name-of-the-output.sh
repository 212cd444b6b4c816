corpus text 10K >a
"$SLUICE" -c a >b.tzst
works "$SLUICE" -d b.tzst
same b.tar a
"$SLUICE" -c a >c.foo
fails "$SLUICE" -d c.foo
says 'c.foo: unknown suffix'
says 'hint:'
works "$SLUICE" -d c.foo -o c
same c a
works "$SLUICE" -dc c.foo >d
same d a
# A name that is nothing but the suffix has no name to give.
cp b.tzst .zst
fails "$SLUICE" -d .zst
