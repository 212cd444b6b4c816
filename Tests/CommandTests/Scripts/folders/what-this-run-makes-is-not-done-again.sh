# The outputs lie in what is walked; none of them is an operand, whatever its name and however it is reached.
needs strace
prepare() {
    rm -rf tree
    mkdir -p tree/a tree/b tree/z
    for name in 1 a/2 b/3 z/4; do corpus text 9K >"tree/$name"; done
}
# only NAME...: these are all the outputs, and they are whole.
only() {
    printf '%s\n' "$@" | sort >wanted
    find tree -name '*.zst*' | sort | diff wanted - >&9
    xargs zstd -qt <wanted
    no_leftovers tree
}
# Also file by file, when each folder is read after files are done.
for one in '' -v; do
    prepare
    # shellcheck disable=SC2086
    (cd tree && works "$SLUICE" $one -qr . --output-dir-mirror b/out)
    only tree/b/out/{1,a/2,b/3,z/4}.zst
    prepare
    # shellcheck disable=SC2086
    (cd tree && works "$SLUICE" $one -qr --output-dir-flat z .)
    only tree/z/{1,2,3,4}.zst
    prepare
    # shellcheck disable=SC2086
    (cd tree && works "$SLUICE" $one -qrf . a z --output-dir-mirror a)
    only tree/a/{1,a/2,b/3,z/4}.zst
    prepare
    # shellcheck disable=SC2086
    exits 1 "$SLUICE" $one -qr tree tree/a tree/z/../b
    only tree/{1,a/2,b/3,z/4}.zst
    prepare
    # shellcheck disable=SC2086
    works "$SLUICE" $one -qrf -T1 tree tree/a tree/z/../b
    only tree/{1,a/2,b/3,z/4}.zst
done
# With --rm nothing is lost either: what is named twice is gone the second time.
prepare
fails "$SLUICE" -qrf --rm tree tree/a tree/b
only tree/{1,a/2,b/3,z/4}.zst
# Names that last until a batch gets its own lie there when the next folder is read.
rm -rf tree
mkdir -p tree/a tree/z
for number in {1..1100}; do echo "$number" >"tree/a/$number"; done
cd tree
works strace -D -f -qq -o /dev/null -P /proc/self/fd -e trace=access,faccessat \
    -e inject=access,faccessat:error=ENOENT "$SLUICE" -qqr . --output-dir-mirror z
[ "$(find z -type f | wc -l)" = 1100 ]
[ "$(find . -name '*.zst.*' | wc -l)" = 0 ]
