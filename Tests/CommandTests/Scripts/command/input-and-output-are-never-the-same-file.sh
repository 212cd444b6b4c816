corpus text 100K >a
cp a kept
ln a hard
ln -s a soft
for output in a ./a hard soft "$PWD/a"; do
    fails "$SLUICE" -f a -o "$output"
    fails "$SLUICE" -f a kept -o "$output"
    same a kept
done
cat a >same.zst
ln -s same.zst link
fails "$SLUICE" -f -c same.zst >>same.zst
same same.zst a
fails "$SLUICE" -f <same.zst >>same.zst
same same.zst a
fails "$SLUICE" -f - kept -o kept <a
same kept a
# a.zst leads back to a.
ln -s a a.zst
fails "$SLUICE" -f a
same a kept
no_leftovers
