# Only standard input and descriptors are links that the kernel made; in /dev/shm anybody makes them.
folder=$(mktemp -d /dev/shm/sluice.XXXXXX) || skip 'no /dev/shm'
trap 'rm -rf "$folder"' EXIT
corpus text 1K >secret
ln -s "$PWD/secret" "$folder/a"
mkdir "$folder/fd"
ln -s "$PWD/secret" "$folder/fd/1"
for link in "$folder/a" "$folder/fd/1" "/proc/self/cwd/link"; do
    ln -sf secret link
    fails "$SLUICE" "$link"
    says 'is a symbolic link: skipped'
    fails "$SLUICE" -d "$link" -o out
    says 'is a symbolic link: skipped'
    absent "$link.zst" out
done
works "$SLUICE" -q -o out.zst /dev/fd/3 3<secret
zstd -dcq out.zst | cmp - secret
works "$SLUICE" -qf -o out.zst /proc/self/fd/3 3<secret
works "$SLUICE" -qf -o out.zst /dev/stdin <secret
works "$SLUICE" -q -o other.zst <(cat secret)
zstd -dcq other.zst | cmp - secret
