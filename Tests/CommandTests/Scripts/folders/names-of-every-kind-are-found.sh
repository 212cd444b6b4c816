mkdir -p tree/$'\xff\xfe' tree/-r "tree/new
line"
long=$(printf '%0251d' 0)
for name in $'\xff\xfe/\x01' -r/--rm $'new\nline/ ' "$long" .hidden; do echo "$name" >"tree/$name"; done
works "$SLUICE" -rq tree
for name in $'\xff\xfe/\x01' -r/--rm $'new\nline/ ' "$long" .hidden; do
    zstd -dc "tree/$name.zst" | cmp - "tree/$name"
done
# A name that has no room for the suffix is a failure of that file.
rm -r tree
mkdir tree
echo content >"tree/${long}1234"
echo content >tree/other
fails "$SLUICE" -r --rm tree
says 'file name too long'
[ -e "tree/${long}1234" ]
zstd -dc tree/other.zst | grep -q content
# A list has names, and no options.
printf '%s\0' tree/other.zst ./-x - $'new\nline' >names
for name in -x - $'new\nline'; do echo "$name" >"./$name"; done
works "$SLUICE" -q --filelist names
for name in -x - $'new\nline'; do zstd -dc "./$name.zst" | cmp - "./$name"; done
find . -name '*.zst' -delete
find . -type f -name '*x' -print0 | works "$SLUICE" -q --filelist /dev/stdin
zstd -dc ./-x.zst | grep -q -- -x
find . -name '*.zst' -delete
find . -type f -name '*x' -print0 | works "$SLUICE" -q --filelist=-
zstd -dc ./-x.zst | grep -q -- -x
# In order: what comes out does not depend on how the file system lists it.
rm -r tree
mkdir -p tree/b
for name in c a b/2 b/1 d; do echo "$name" >"tree/$name"; done
works "$SLUICE" -rc tree >all.zst
[ "$(zstd -dc all.zst | tr '\n' ' ')" = 'a b/1 b/2 c d ' ]
