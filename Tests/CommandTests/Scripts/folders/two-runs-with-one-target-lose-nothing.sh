# Both do one tree (but not what the other has made there), and each file is done by one of them: what is there is whole, and no source goes without it.
mkdir -p tree/{a,b,c} kept
for folder in a b c; do for number in {1..60}; do corpus text 5K >"tree/$folder/$number"; done; done
cp -a tree kept
for options in '' '--rm' '-f'; do
    # shellcheck disable=SC2086
    for run in 1 2; do spawn status$run timeout 60 "$SLUICE" -qqr --exclude-compressed $options tree & done
    await test -s status1.time
    await test -s status2.time
    for file in kept/tree/*/*; do
        zstd -dc "${file#kept/}.zst" | cmp - "$file"
        [ "$options" = --rm ] || same "${file#kept/}" "$file"
    done
    no_leftovers tree
    rm -rf tree status*
    cp -a kept/tree .
done
