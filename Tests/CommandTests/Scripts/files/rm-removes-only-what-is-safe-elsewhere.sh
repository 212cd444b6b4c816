corpus text 100K >a
cp a kept
works "$SLUICE" -q --rm a
absent a
works "$SLUICE" -qd --rm a.zst
absent a.zst
same a kept
# Not without an output of its own.
works "$SLUICE" -q --rm -c a >b.zst
[ -e a ]
works "$SLUICE" -q -t --rm b.zst
[ -e b.zst ]
works "$SLUICE" -q -l --rm b.zst >list
[ -e b.zst ]
# Several small files are done together, by the same rule.
cp b.zst c.zst
works "$SLUICE" -q -t --rm b.zst c.zst
[ -e b.zst ]
[ -e c.zst ]
rm c.zst
# The last word wins.
works "$SLUICE" -q --rm -k a
[ -e a ]
rm a.zst
# Not after an error.
mkdir a.zst
fails "$SLUICE" -q --rm a
[ -e a ]
rmdir a.zst
echo old >a.zst
fails "$SLUICE" -q --rm a
[ -e a ]
works "$SLUICE" -qf --rm a
absent a
# Several in one: kept, or removed after all is safe.
cp kept a
cp kept b
works "$SLUICE" -qf --rm a b -o both.zst || true
cat kept kept | cmp - <(zstd -dc both.zst)
# Two sources that become one file.
echo one | "$SLUICE" >x.tar.zst
echo two | "$SLUICE" >x.tzst
fails "$SLUICE" -d -f --rm x.tar.zst ./x.tzst
says 'the same output as x.tar.zst'
[ -e x.tar.zst ]
[ -e x.tzst ]
absent x.tar
