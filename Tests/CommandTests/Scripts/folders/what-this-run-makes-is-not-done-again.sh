# The outputs lie in what is walked; none of them is an operand, whatever its name and however it is reached.
prepare() {
    rm -rf tree
    mkdir -p tree/a tree/b tree/z
    for name in 1 a/2 b/3 z/4; do corpus text 9K >"tree/$name"; done
}
# only NAME...: these are all the outputs, and they are whole.
only() {
    printf '%s\n' "$@" | sort >wanted
    find tree -name '*.zst*' | sort | diff wanted - >&9
    local name
    while read -r name; do zstd -qt "$name"; done <wanted
    no_leftovers tree
}
# Also where a file has another name until it has its own.
for prefix in '' with_names; do
    prepare
    (cd tree && works $prefix "$SLUICE" -qr . --output-dir-mirror b/out)
    only tree/b/out/{1,a/2,b/3,z/4}.zst
    prepare
    (cd tree && works $prefix "$SLUICE" -qr --output-dir-flat z .)
    only tree/z/{1,2,3,4}.zst
    prepare
    (cd tree && works $prefix "$SLUICE" -qrf . a z --output-dir-mirror a)
    only tree/a/{1,a/2,b/3,z/4}.zst
    prepare
    fails $prefix "$SLUICE" -qr tree tree/a tree/z/../b
    only tree/{1,a/2,b/3,z/4}.zst
    prepare
    works $prefix "$SLUICE" -qrf -T1 tree tree/a tree/z/../b
    only tree/{1,a/2,b/3,z/4}.zst
done
# With --rm nothing is lost either: what is named twice is gone the second time.
prepare
fails "$SLUICE" -qrf --rm tree tree/a tree/b
only tree/{1,a/2,b/3,z/4}.zst
