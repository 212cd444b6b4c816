# Folders are read when their turn comes; what is done is forgotten.
mkdir disk
mount -t tmpfs -o size=300m,nr_inodes=300k tmpfs disk || true
cd disk
mkdir few many
tree() { perl -e 'my ($root, $folders) = @ARGV; for my $d (1 .. $folders) { mkdir "$root/$d"; for (1 .. 1000) { open my $f, ">", "$root/$d/file-with-a-name-$_" or die; } }' "$1" "$2"; }
tree few 3
tree many 60
peak() { perl "$SCRIPTS/peak.pl" "$@"; }
least=$(peak "$SLUICE" -q --no-sync -r few)
# On a busy machine one run may take some more; were they remembered, each would.
for _ in 1 2 3; do
    most=$(peak "$SLUICE" -q --no-sync -r many)
    echo "$least KiB for 3000 files, $most KiB for 60000" >&9
    [ "$(find many -name '*.zst' | wc -l)" = 60000 ]
    [ "$most" -ge $((least + 7000)) ] || exit 0
    find many -name '*.zst' -delete
done
fail "$most KiB instead of $least"
