# Both do one tree (but not what the other has made there), and each file is done by one of them: what is there is whole, and no source goes without it.
mkdir -p tree/{a,b,c} kept
corpus text 900K | split -b 5K -a 3 - tree/a/
mv tree/a/aa[a-z] tree/a/ab[a-z] tree/b
mv tree/a/a[cd][a-z] tree/c
cp -a tree kept
for options in '' '--rm' '-f'; do
    # shellcheck disable=SC2086
    for run in 1 2; do spawn status$run timeout 60 "$SLUICE" -qqr --exclude-compressed $options tree & done
    await test -s status1.time
    await test -s status2.time
    zstd -dc tree/*/*.zst | cmp - <(cat kept/tree/*/*)
    [ "$(find tree -name '*.zst' | wc -l)" = "$(find kept -type f | wc -l)" ]
    [ "$options" = --rm ] || diff -r -x '*.zst' kept/tree tree >&9
    no_leftovers tree
    rm -rf tree status*
    cp -a kept/tree .
done
