corpus text 10K >a
echo old >a.zst
fails "$SLUICE" a
says 'a.zst: already exists'
[ "$(cat a.zst)" = old ]
# The answer is never taken from the data.
echo y | fails "$SLUICE" - -o a.zst
[ "$(cat a.zst)" = old ]
echo y | fails "$SLUICE" - a
[ "$(cat a.zst)" = old ]
# Nor asked for in silence, nor taken for granted.
echo y | fails "$SLUICE" -q a
# Where nobody types, nobody is asked, whatever comes from there.
echo y | fails "$SLUICE" a
if grep -q 'y/n' "$messages"; then fail "$(cat "$messages")"; fi
says 'hint: -f replaces it'
fails "$SLUICE" a
[ "$(cat a.zst)" = old ]
# By zstd's name it may come from a pipe, as zstd takes it.
ln -s "$SLUICE" zstd
echo n | exits 1 ./zstd a
[ "$(cat a.zst)" = old ]
printf 'y\n' | works ./zstd a
zstd -dc a.zst | cmp - a
echo old >a.zst
works "$SLUICE" -f a
zstd -dc a.zst | cmp - a
# A dangling link is something that exists.
ln -s nowhere b.zst
cp a b
fails "$SLUICE" b
[ "$(readlink b.zst)" = nowhere ]
absent nowhere
no_leftovers
