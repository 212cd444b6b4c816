# `zstd -f *` each night: x.zst is made anew of x, and x.zst.zst of that; never with --rm, and not by our own name.
corpus text 30K >x
corpus text 20K >y
mkdir bin
ln -s "$SLUICE" bin/zstd
zstd -q y -o x.zst
cp x.zst old
for words in '' --no-sync -T4 -1; do
    # shellcheck disable=SC2086
    works bin/zstd -qf $words x x.zst
    zstd -dcq x.zst | cmp - x
    zstd -dcq x.zst.zst | cmp - x.zst
    # The next night there is one more.
    # shellcheck disable=SC2086
    works bin/zstd -qf $words x*
    zstd -dcq x.zst | cmp - x
    zstd -dcq x.zst.zst | cmp - x.zst
    zstd -dcq x.zst.zst.zst | cmp - x.zst.zst
    rm x.zst.zst x.zst.zst.zst
    cp old x.zst
done
# Named twice by mistake, each is made twice, of its own source.
for words in '' --no-sync -T4; do
    # shellcheck disable=SC2086
    works bin/zstd -qf $words x x.zst x ./x.zst
    zstd -dcq x.zst | cmp - x
    zstd -dcq x.zst.zst | zstd -dcq | cmp - x
    rm x.zst.zst
    cp old x.zst
done
# Two sources of one name are a loss, also here.
mkdir other
cp y other/x
fails bin/zstd -qf x x.zst other/x --output-dir-flat=.
zstd -dcq x.zst | cmp - x
rm -r other x.zst.zst
cp old x.zst
# In the order in which they were named: what is compressed first is what was there.
works bin/zstd -qf x.zst x
zstd -dcq x.zst.zst | cmp - old
zstd -dcq x.zst | cmp - x
rm x.zst.zst
cp old x.zst
# An input that can't be read leaves what is there.
fails bin/zstd -f x missing missing.zst x.zst
zstd -dcq x.zst | cmp - x
rm x.zst.zst
cp old x.zst
# With --rm nothing is lost: either gets a name that is free when its turn comes, or stays.
code=0
bin/zstd -qf --rm x x.zst 2>"$messages" || code=$?
zstd -dcq x.zst.zst | cmp - old
if [ -e x ]; then [ $code = 1 ]; else zstd -dcq x.zst >x; fi
[ "$(sha256sum <x)" = "$(corpus text 30K | sha256sum)" ]
rm -f x.zst x.zst.zst
# By its own name it is refused, with what to do.
cp old x.zst
fails "$SLUICE" -qf x x.zst
says 'sluice: x.zst: is also an input of this run; not replaced'
says 'sluice: hint: --exclude-compressed leaves it out'
same x.zst old
rm x.zst.zst
works "$SLUICE" -qf --exclude-compressed x x.zst
zstd -dcq x.zst | cmp - x
absent x.zst.zst
zstd -q x.zst
fails "$SLUICE" -qdf x.zst.zst x.zst
says 'sluice: hint: run it once per file, for example in a loop'
no_leftovers
