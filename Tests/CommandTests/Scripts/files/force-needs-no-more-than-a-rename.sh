# File systems that know neither links nor a rename that does not replace, as behind some FUSE mounts.
needs strace
poor() {
    strace -D -f -qq -o "$LOGS/calls" -e trace=access,faccessat,renameat2,link,linkat -e inject=access,faccessat:error=ENOENT \
        -e inject=renameat2:error=EINVAL -e inject=link,linkat:error=EPERM "$@"
}
for name in a b c; do echo $name >$name; done
for operands in a 'a b' 'a b c'; do
    # shellcheck disable=SC2086
    works poor "$SLUICE" -q -f $operands
    for name in $operands; do zstd -dcq $name.zst | cmp - $name; done
    no_leftovers
done
