# Two sources, one output that is spelt in two ways: with --rm both went, and the content of one was lost.
mkdir folder
ln -s folder link
corpus text 5M >large.one
corpus random 5M >large.two
echo one >small.one
echo two >small.two
# What is small is done together with others, without a sync by several threads at once; what is large one by one.
for size in small large; do
    for spelling in "$PWD/folder" link /proc/self/cwd/folder; do
        for words in -f '-f --no-sync'; do
            for old in '' old; do
                rm -rf folder/*
                "$SLUICE" -q -c $size.one >folder/a.tzst
                "$SLUICE" -q -c $size.two >folder/a.tar.zst
                [ -z "$old" ] || echo old >folder/a.tar
                # shellcheck disable=SC2086
                fails "$SLUICE" -q -d --rm $words folder/a.tzst "$spelling/a.tar.zst"
                says 'not replaced'
                # One of them is done, and only its source is gone.
                if [ -e folder/a.tzst ]; then gone=two; else gone=one; fi
                [ "$(find folder -name '*zst' | wc -l)" = 1 ]
                same folder/a.tar $size.$gone
            done
        done
    done
done
# One source that is named twice may have its output replaced.
corpus text 3000 >b
works "$SLUICE" -q -f b ./b
zstd -dcq b.zst | cmp - b
no_leftovers folder
