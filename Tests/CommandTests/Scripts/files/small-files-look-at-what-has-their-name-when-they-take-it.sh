# Files that are written before anybody looked: what they find then must be treated as if somebody had. One is larger, and
# looks first.
kinds='free large file link broken-link own hard-link folder'
begin() {
    rm -rf ./*
    for kind in $kinds; do echo "new $kind" >$kind; done
    corpus text 70K >large
    echo old >old
    for name in large file hard-link; do echo "old $name" | zstd -q -o $name.zst; done
    ln -s old link.zst
    ln -s nowhere broken-link.zst
    ln own own.zst
    ln -f hard-link.zst other
    mkdir folder.zst
}
whole() { zstd -dcq "$1.zst" | cmp - "$1"; }
holds() { [ "$(zstd -dcq "$1")" = "$2" ] || fail "$1 does not hold '$2'"; }
always() {
    says 'own.zst: is the input and the output'
    says 'folder.zst: is a directory'
    [ "$(cat old)" = old ]
    [ "$(cat own)" = 'new own' ]
    absent nowhere
    holds other 'old hard-link'
    no_leftovers
}

for sync in '' --no-sync; do
    begin
    # Standard input is no terminal: nobody is there to be asked.
    # shellcheck disable=SC2086
    fails "$SLUICE" -T2 $sync $kinds </dev/null
    whole free
    for kind in large file link broken-link hard-link; do says "$kind.zst: already exists: not replaced"; done
    holds large.zst 'old large'
    holds file.zst 'old file'
    [ "$(readlink link.zst)" = old ]
    [ "$(readlink broken-link.zst)" = nowhere ]
    always

    begin
    # shellcheck disable=SC2086
    fails "$SLUICE" -f -T2 $sync $kinds </dev/null
    for kind in free large file link broken-link hard-link; do whole $kind; done
    # Links are replaced and not followed.
    [ ! -L link.zst ]
    [ ! -L broken-link.zst ]
    always
done
