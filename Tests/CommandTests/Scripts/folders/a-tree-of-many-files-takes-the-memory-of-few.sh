# Folders are read when their turn comes; what is done is forgotten.
mkdir disk
mount -t tmpfs -o size=300m,nr_inodes=300k tmpfs disk || true
cd disk
mkdir few many
tree() { perl -e 'my ($root, $folders) = @ARGV; for my $d (1 .. $folders) { mkdir "$root/$d"; for (1 .. 1000) { open my $f, ">", "$root/$d/file-with-a-name-$_" or die; } }' "$1" "$2"; }
tree few 6
# Were they remembered, each would take a hundred bytes and more.
if is_long; then thousands=63 room=7000; else thousands=21 room=3500; fi
tree many $thousands
peak() { perl "$SCRIPTS/peak.pl" "$@"; }
least=$(peak "$SLUICE" -q --no-sync -r few)
# On a busy machine one run may take some more; were they remembered, each would.
for _ in 1 2 3 4; do
    most=$(peak "$SLUICE" -q --no-sync -r many)
    echo "$least KiB for 6000 files, $most KiB for ${thousands}000" >&9
    [ "$(find many -name '*.zst' | wc -l)" = ${thousands}000 ]
    [ "$most" -ge $((least + room)) ] || exit 0
    find many -name '*.zst' -delete
done
fail "$most KiB instead of $least"
