# What zstd makes is decoded on several cores from pipes that give a byte, a page or a megabyte at a time, stall, or end early.
if is_long; then sizes=(48M 16M); else sizes=(9M 7M); fi
{ corpus text ${sizes[0]} && corpus random 3M && corpus text ${sizes[1]}; } >plain
corpus text 100K >dictionary
# feed FILE SIZE: the first and the last bytes come one by one, the others in such pieces, and the pipe stalls twice.
feed() {
    perl -e '
        my ($file, $size) = @ARGV;
        open my $in, "<:raw", $file or die;
        my $whole = -s $file;
        $| = 1;
        for (my $at = 0; $at < $whole;) {
            my $count = $at < 2000 || $whole - $at <= 2000 ? 1 : $size;
            $count = $whole - 2000 - $at if $count > 1 && $at + $count > $whole - 2000;
            read $in, my $piece, $count or die;
            print $piece or exit;
            select undef, undef, undef, 0.3 if int(3 * $at / $whole) < int(3 * ($at + $count) / $whole);
            $at += $count;
        }' "$@"
}
pack() { zstd -q -f -c -T2 "$@"; }
pack -1 plain >one.zst
pack -3 --zstd=wlog=16 plain >narrow.zst
pack -3 --long=27 plain >long.zst
pack -5 <plain >unsized.zst
pack -3 --no-check plain >unchecked.zst
pack -3 -D dictionary plain >referring.zst
{ cat one.zst && printf '\x50\x2a\x4d\x18\x03\x00\x00\x00abc' && cat narrow.zst; } >two.zst
for name in one narrow long unsized unchecked; do
    for piece in 4096 1048576; do
        [ $piece = 4096 ] || is_long || [ $name = one ] || [ $name = unsized ] || continue
        feed $name.zst $piece | "$SLUICE" -q -d -T3 | cmp - plain
    done
done
feed referring.zst 65536 | "$SLUICE" -q -d -T3 -D dictionary | cmp - plain
feed two.zst 65536 | "$SLUICE" -q -d -T2 | cmp - <(cat plain plain)
feed one.zst 65536 | works "$SLUICE" -q -t -T2
# What ends early, or is damaged, has the exit code of zstd, and nothing but its content has left.
for name in one narrow unsized; do
    size=$(size $name.zst)
    for share in 1 5 9; do
        exits 1 "$SLUICE" -q -d -T3 < <(head -c $((size * share / 10)) $name.zst) >out
        prefix_of out plain
        cp $name.zst bad.zst
        printf '\377\000\377' | dd of=bad.zst bs=1 seek=$((size * share / 10)) conv=notrunc status=none
        exits 1 "$SLUICE" -q -d -T3 < <(cat bad.zst) >out
        zstd -q -d -c <bad.zst >wanted 2>/dev/null && fail "zstd takes it"
        cmp out wanted >"$LOGS/compared" 2>&1 || grep "EOF on" "$LOGS/compared"
    done
done
no_leftovers
