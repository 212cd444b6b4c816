mkdir -p tree/below
for name in a b below/c; do corpus text 10K >tree/$name; done
works "$SLUICE" -q --rm -r tree
find tree | sort >first
works "$SLUICE" -r tree <&-
says 'left out 3 files: compressed already'
[ "$(find tree -name '*.zst.zst' | wc -l)" = 0 ]
# As cron does it, with -f.
works "$SLUICE" -r -f tree
find tree | sort | cmp - first
# The other way.
corpus text 1K >tree/notes
works "$SLUICE" -d -r tree
says 'left out 1 file: without a known suffix'
corpus text 10K | cmp - tree/below/c
# What is named is not left out, and a forgotten -d is told.
works "$SLUICE" tree/a.zst
says 'tree/a.zst: is compressed already: -d decompresses it'
[ -s tree/a.zst.zst ]
# Under zstd's names all is as there.
ln -s "$SLUICE" zstd
rm tree/below/c
works ./zstd -q -r tree/below
[ -s tree/below/c.zst.zst ]
# Failures of one kind are counted from the twentieth on; a program gets them all.
mkdir many
for number in {1..30}; do
    echo x >many/$number
    echo old >many/$number.zst
done
fails "$SLUICE" many/? many/[1-3][0-9] <&-
[ "$(grep -c 'many/' "$messages")" = 21 ] || fail "$(cat "$messages")"
says '10 more files with the same as: many/'
exits 1 "$SLUICE" --stats=json many/? many/[1-3][0-9] <&-
[ "$(grep -c 'sluice: many/' "$messages")" = 30 ] || fail "$(cat "$messages")"
