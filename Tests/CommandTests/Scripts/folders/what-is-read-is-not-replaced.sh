# With -f too: what lies in a tree is an operand, and no name for another one's output.
mkdir -p tree/sub
echo x >tree/x
echo precious >tree/x.zst
echo sub >tree/sub/x
fails "$SLUICE" -rf tree
says 'tree/x.zst: is also an input of this run; not replaced'
says 'hint: --exclude-compressed leaves it out'
[ "$(cat tree/x.zst)" = precious ]
zstd -dc tree/x.zst.zst | grep -q precious
zstd -dc tree/sub/x.zst | grep -q sub
rm tree/x.zst.zst tree/sub/x.zst
(cd tree && fails "$SLUICE" -rf --rm sub . --output-dir-flat .)
[ "$(cat tree/x.zst)" = precious ] || zstd -dc tree/x.zst.zst | grep -q precious
rm -r tree
mkdir -p tree
echo x >tree/x
echo y >tree/y
fails "$SLUICE" -rf tree -o tree/y
says 'tree/y: is the input and the output'
[ "$(cat tree/y)" = y ]
works "$SLUICE" -rf tree -o out.zst
[ "$(zstd -dc out.zst | tr '\n' ' ')" = 'x y ' ]
# What is left out is not read.
echo old >tree/x.zst
works "$SLUICE" -rfq --exclude-compressed tree
zstd -dc tree/x.zst | cmp - tree/x
absent tree/x.zst.zst
