# With -f too: what is named is an operand, and no name for another one's output.
mkdir -p tree/sub
echo x >tree/x
echo precious >tree/x.zst
echo sub >tree/sub/x
fails "$SLUICE" -f tree/x tree/x.zst
says 'tree/x.zst: is also an input of this run; not replaced'
[ "$(cat tree/x.zst)" = precious ]
zstd -dc tree/x.zst.zst | grep -q precious
rm tree/x.zst.zst
fails "$SLUICE" -r tree <&-
says 'tree/x.zst: already exists: not replaced'
[ "$(cat tree/x.zst)" = precious ]
zstd -dc tree/sub/x.zst | grep -q sub
# What is found in a tree is an operand only if it is not left out for its suffix: -f replaces that.
works "$SLUICE" -rf tree
zstd -dc tree/x.zst | grep -qx x
absent tree/x.zst.zst
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
