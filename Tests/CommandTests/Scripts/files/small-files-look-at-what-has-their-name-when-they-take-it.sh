# Files that are written before anybody looked: what they find then must be treated as if somebody had.
kinds='free file link broken-link own hard-link folder'
begin() {
    rm -rf ./*
    for kind in $kinds; do echo "new $kind" >$kind; done
    echo old >old
    for name in file hard-link; do echo "old $name" | zstd -q -o $name.zst; done
    ln -s old link.zst
    ln -s nowhere broken-link.zst
    ln own own.zst
    ln -f hard-link.zst other
    mkdir folder.zst
}
whole() { zstd -dcq "$1.zst" | cmp - "$1"; }

for sync in '' --no-sync; do
    # Standard input is no terminal: nobody is there to be asked.
    begin
    # shellcheck disable=SC2086
    fails "$SLUICE" -T2 $sync $kinds </dev/null
    whole free
    for kind in file link broken-link hard-link; do says "$kind.zst: already exists: not replaced"; done
    says 'own.zst: is the input and the output'
    says 'folder.zst: is a directory'
    [ "$(zstd -dcq file.zst)" = 'old file' ] && [ "$(zstd -dcq other)" = 'old hard-link' ]
    [ "$(readlink link.zst broken-link.zst | tr '\n' ' ')" = 'old nowhere ' ] && [ "$(cat old own)" = $'old\nnew own' ]
    no_leftovers

    begin
    # shellcheck disable=SC2086
    fails "$SLUICE" -f -T2 $sync $kinds </dev/null
    for kind in free file link broken-link hard-link; do whole $kind; done
    says 'own.zst: is the input and the output'
    says 'folder.zst: is a directory'
    # A link is replaced and not followed, and the other name keeps what it had.
    [ ! -L link.zst ] && [ ! -L broken-link.zst ] && [ ! -e nowhere ] && [ "$(cat old own)" = $'old\nnew own' ]
    [ "$(zstd -dcq other)" = 'old hard-link' ]
    no_leftovers
done
