# Tapes leave them, and GNU tar's blocking. So does a disk that lost the end of a file.
needs xz lzma lz4
{ corpus text 100K && corpus random 2972K; } >a
"$SLUICE" -q -B256K a -o own.zst
zstd -q a -o other.zst
"$SLUICE" -q --single-frame a -o single.zst
for format in gzip xz lzma lz4; do $format -qkc a >a.$format; done
zeros() { head -c "$1" /dev/zero; }
counts="1 3 4 511 512 10240 1000000"
if is_long; then counts+=" 5000000"; fi
for count in $counts; do
    { cat own.zst; zeros $count; } >own-zeros.zst
    { cat other.zst; zeros $count; } >other-zeros.zst
    # A seek table proves that nothing is missing, whatever way a file goes.
    works "$SLUICE" -qt own-zeros.zst
    works "$SLUICE" -qdc own-zeros.zst >out
    same out a
    silent
    works "$SLUICE" -qdc <own-zeros.zst >out
    same out a
    (cat own.zst; sleep 0.01; zeros $count) | works "$SLUICE" -qdc >out
    same out a
    works "$SLUICE" -qdc --offset=2M --length=5 own-zeros.zst >out
    same out <(tail -c +2097153 a | head -c 5)
    works "$SLUICE" -qdc --tail=5 own-zeros.zst >out
    same out <(tail -c 5 a)
    works "$SLUICE" -l --json own-zeros.zst >listed
    grep -q '"contentBytes" : 3145728' listed || fail "$(cat listed)"
    works "$SLUICE" -d --recover own-zeros.zst -f -o out
    same out a
    grep -q lost "$messages" && fail "$(cat "$messages")"
    works "$SLUICE" -qt own-zeros.zst own-zeros.zst own.zst
    works "$SLUICE" -qt --against=a own-zeros.zst
    # Nothing proves it for a frame of another program, or a single one.
    { cat single.zst; zeros $count; } >single-zeros.zst
    for name in other-zeros.zst single-zeros.zst; do
        fails "$SLUICE" -dc "$name" >out
        says 'zeros after the last frame, from byte '
        says '--ignore-zeros accepts them'
    done
    fails "$SLUICE" -t other-zeros.zst own.zst
    says 'zeros after the last frame'
    fails "$SLUICE" -l other-zeros.zst
    says 'zeros after the last frame'
    for words in -dc '-dc --offset=0' '-dc --recover'; do
        # shellcheck disable=SC2086
        works "$SLUICE" -q $words --ignore-zeros other-zeros.zst >out
        same out a
    done
    works "$SLUICE" -qdc --ignore-zeros <other-zeros.zst >out
    same out a
    works "$SLUICE" -qt --ignore-zeros other-zeros.zst own-zeros.zst
    works "$SLUICE" -l --ignore-zeros other-zeros.zst
done
# Under zstd's names too.
ln -s "$SLUICE" zstd
works ./zstd -qdc own-zeros.zst >out
same out a
fails ./zstd -qdc other-zeros.zst >out
works ./zstd -qdc --ignore-zeros other-zeros.zst >out
same out a
# gzip takes them, with a word where it is asked for one.
for count in 1 512 1000000; do
    { cat a.gzip; zeros $count; } >zeros.gz
    gzip -dc zeros.gz | cmp - a
    works "$SLUICE" -dc zeros.gz >out
    same out a
    says 'zeros after the data, from byte '
    works "$SLUICE" -qdc --ignore-zeros <zeros.gz >out
    same out a
    silent
    for format in lzma lz4; do
        { cat a.$format; zeros $count; } >zeros.$format
        fails "$SLUICE" -dc zeros.$format >out
        works "$SLUICE" -qdc --ignore-zeros zeros.$format >out
        same out a
    done
done
{ cat a.xz; zeros 3; } >zeros.xz
fails "$SLUICE" -dc zeros.xz >out
says 'zeros after the xz data'
works "$SLUICE" -qdc --ignore-zeros zeros.xz >out
same out a
# Zeros and then anything else are an error, whatever was said.
for tail in own.zst a.gzip a; do
    for front in own.zst other.zst a.gzip; do
        { cat "$front"; zeros 700; cat $tail; } >mixed
        fails "$SLUICE" -dc --ignore-zeros mixed >out
        fails "$SLUICE" -dc --ignore-zeros <mixed >out
        fails "$SLUICE" -t mixed own.zst
    done
done
# And zeros alone are nothing.
zeros 1000 >none
fails "$SLUICE" -dc --ignore-zeros none
fails "$SLUICE" --ignore-zeros a
says '--ignore-zeros only works with'
