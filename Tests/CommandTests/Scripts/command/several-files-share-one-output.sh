needs script
corpus text 100K >a
corpus random 100K >b
cat a b >both
works "$SLUICE" -c a b >ab.zst
zstd -dc ab.zst | cmp - both
works "$SLUICE" -f a b -o ab2.zst
zstd -dc ab2.zst | cmp - both
cat a | works "$SLUICE" -c - b >ab3.zst
zstd -dc ab3.zst | cmp - both
works "$SLUICE" -q a b
works "$SLUICE" -dc a.zst b.zst >both2
same both both2
works "$SLUICE" -df a.zst b.zst -o both3
same both both3
# One bad input: no output.
fails "$SLUICE" -f a missing -o c.zst
absent c.zst
# Who does not say so is asked.
fails "$SLUICE" a b -o c.zst
says 'hint: -f concatenates them'
fails "$SLUICE" -q a b -o c.zst
echo y | fails "$SLUICE" a b -o c.zst
if grep -q 'y/n' "$messages"; then fail "$(cat "$messages")"; fi
echo y | fails "$SLUICE" a - b -o c.zst
absent c.zst
(sleep 0.5; echo y) | script -qec "$SLUICE a b -o c.zst" /dev/null >said
grep -q 'y/n' said
zstd -dc c.zst | cmp - both
no_leftovers
# A directory in one file is mostly meant as an archive.
mkdir -p folder/sub
cp a folder/sub
for words in '-r folder' '-r folder/'; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words -o d.zst
    says "can't be separated again: not done"
    says 'hint: tar -I sluice -cf folder.tar.zst folder'
    if grep -q -- -f\  "$messages"; then fail "$(cat "$messages")"; fi
done
absent d.zst
works "$SLUICE" -q -f -r folder -o d.zst
zstd -dc d.zst | cmp - a
zstd -q folder/sub/a
fails "$SLUICE" -d -r folder -o e
says 'hint: -f concatenates them'
