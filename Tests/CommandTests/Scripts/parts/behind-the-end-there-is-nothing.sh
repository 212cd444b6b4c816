needs pzstd
corpus text 1000000 >plain
"$SLUICE" -q -B100K plain -o own.zst
pzstd -q -1 plain -o silent.zst
zstd -q plain -o one.zst
for file in own.zst silent.zst one.zst; do
    # What is there.
    works "$SLUICE" -d --offset=999990 --length=100 $file >part
    same part <(tail -c 10 plain)
    works "$SLUICE" -d --tail=2M $file >part
    same part plain
    works "$SLUICE" -d --offset=-2M $file >part
    same part plain
    works "$SLUICE" -d --range=5000000- --range=0-4 $file >part 2>"$messages" || true
    # Nothing at all.
    for words in --offset=1000000 --range=1000000-1000009 '--offset=99G --length=1'; do
        # shellcheck disable=SC2086
        fails "$SLUICE" -d $words $file >part
        says "$file: range is outside the content (1000000 bytes)"
        [ ! -s part ]
        # shellcheck disable=SC2086
        fails "$SLUICE" -q -d $words $file -o out
        absent out
    done
    # Nothing was asked for, and that is there.
    works "$SLUICE" -d --offset=5 --length=0 $file >part
    [ ! -s part ]
done
# An empty content has no last bytes, as with tail; it has no first one either.
: >empty
"$SLUICE" -q empty -o empty.own.zst
zstd -q empty -o empty.one.zst
for file in empty.own.zst empty.one.zst; do
    for words in --tail=5 --offset=-5 --range=-5; do
        works "$SLUICE" -d $words $file >part
        [ ! -s part ]
    done
    for words in --offset=0 --range=0-4 --range=-5,0-; do
        fails "$SLUICE" -d $words $file >part
        says "$file: range is outside the content (0 bytes)"
    done
done
# An empty file is told as that.
for words in --tail=5 --offset=5 --range=0-4,-3; do
    fails "$SLUICE" -d $words empty
    says 'empty: unexpected end of input at byte 0'
done
no_leftovers
works "$SLUICE" -q -d --offset=10 --length=20 own.zst -o out
same out <(perl -e 'open my $f, "<", "plain"; seek $f, 10, 0; read $f, my $d, 20; print $d')
fails "$SLUICE" -q -d --offset=10 --length=20 own.zst -o out
says 'already exists'
