source "$SCRIPTS/dictionaries/samples.bash"
cp dict copy
cp records new
# Compressed with itself it would be needed to read it, and --rm would remove it.
fails "$SLUICE" --rm -D dict samples/aaa dict
says 'sluice: dict: is also the dictionary or reference of this run'
[ -s samples/aaa.zst ]
ln dict linked
fails "$SLUICE" --rm -D dict linked
fails "$SLUICE" --rm --patch-from=new new
for name in dict linked; do
    fails "$SLUICE" -f -D dict new -o $name
    says "$name: is the dictionary or reference of this run: not replaced"
done
"$SLUICE" -q -D dict new -o dict.zst
mv dict.zst sub.zst
cp sub.zst linked.zst
fails "$SLUICE" -d -f -D dict linked.zst samples/aaa.zst
says 'linked: is the dictionary or reference of this run: not replaced'
same dict copy
same new records
no_leftovers
