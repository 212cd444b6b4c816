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
# tar finds the format by itself.
cp "$SLUICE" zstd
rm -rf two/tree
PATH=$PWD:$PATH tar --zstd -xf c.tar.zst -C two
diff -r tree two/tree
