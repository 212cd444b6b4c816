mkdir -p tree/deep
corpus text 2M >tree/text
corpus random 1M >tree/deep/random
: >tree/empty
ln -s text tree/link
tar -I "$SLUICE" -cf a.tar.zst tree
zstd -t -q a.tar.zst
tar -tf a.tar.zst -I zstd >names
grep -qx 'tree/deep/random' names
mkdir one two three
tar -I "$SLUICE -d" -xf a.tar.zst -C one
diff -r tree one/tree
tar -I zstd -xf a.tar.zst -C two
diff -r tree two/tree
tar -I zstd -cf b.tar.zst tree
tar -I "$SLUICE" -xf b.tar.zst -C three
diff -r tree three/tree
tar -I "$SLUICE -T2 -9 -B256K" -cf c.tar.zst tree
rm -rf one/tree
tar -I "$SLUICE -d --long=30" -xf c.tar.zst -C one
diff -r tree one/tree
# tar calls zstd, which is ours from here on; it finds the format by itself, also by the suffix.
source "$SCRIPTS/programs/names.bash"
rm -rf two/tree
tar --zstd -xf c.tar.zst -C two
diff -r tree two/tree
tar --zstd -cf d.tar tree
tar -caf e.tar.zst tree
cmp <("$real" -dc d.tar) <("$real" -dc e.tar.zst)
rm -rf three/tree
tar -xf e.tar.zst -C three
diff -r tree three/tree
# An archive that is cut ends tar with an error.
head -c 1000000 d.tar >cut.tar.zst
refuses tar -xf cut.tar.zst --zstd -C one
