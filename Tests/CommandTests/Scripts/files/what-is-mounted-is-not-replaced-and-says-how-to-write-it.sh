# Containers mount single files, which no rename replaces: what they hold stays, and the hint writes it.
corpus text 10K >a
echo old >a.zst
echo old >mounted
mount --bind mounted a.zst 2>/dev/null || skip 'nothing can be mounted here'
trap 'umount a.zst' EXIT
corpus text 20K >b
for words in '' '-v'; do
    exits 1 "$SLUICE" -qf $words a
    says "can't create a.zst: device or resource busy"
    says 'hint: if it is a mount point, -c > a.zst writes into the mounted file'
    [ "$(cat mounted)" = old ]
    # Among small files.
    exits 1 "$SLUICE" -qf $words a b
    says 'hint: if it is a mount point, -c > a.zst'
    [ "$(cat mounted)" = old ]
    zstd -dcq b.zst | cmp - b
    rm b.zst
    no_leftovers
done
"$SLUICE" -qc a >a.zst
zstd -dcq mounted | cmp - a
