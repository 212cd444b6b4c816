# As a shell completes it, whether the folder is there or not, and synced or not.
mkdir -p src/sub
corpus text 10K >src/one
corpus text 20K >src/sub/two
for name in out/ out// ./out/ out/. out; do
    for words in '' --no-sync; do
        # shellcheck disable=SC2086
        works "$SLUICE" -q $words -r src --output-dir-mirror "$name"
        zstd -dcq out/src/one.zst | cmp - src/one
        zstd -dcq out/src/sub/two.zst | cmp - src/sub/two
        # Into a folder that is there.
        # shellcheck disable=SC2086
        works "$SLUICE" -qf $words -r src "--output-dir-mirror=$name"
        works "$SLUICE" -qdr out/src --output-dir-mirror back/
        same back/out/src/one src/one
        rm -r out back
    done
done
# Only the last folder of the name is made, as without the slash.
fails "$SLUICE" -q -r src --output-dir-mirror no/folder/
says "no/folder: can't create the directory: no such file or directory"
# A flat one is not made.
fails "$SLUICE" -q src/one --output-dir-flat missing/
says 'missing'
mkdir missing
works "$SLUICE" -q src/one --output-dir-flat missing/
same src/one <(zstd -dcq missing/one.zst)
