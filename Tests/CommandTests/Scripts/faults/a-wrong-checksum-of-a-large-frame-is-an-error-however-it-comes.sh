# A first frame of more than 32 MiB is decoded in parts, and its checksum is made beside that.
corpus text 34M >text
corpus random 34M >random
zstd -q --no-progress -1 text -o theirs.zst
works "$SLUICE" -q -1 --single-frame text -o ours.zst
# Of blocks that are not compressed every byte is one of the content, which only the checksum shows.
zstd -q --no-progress -1 random -o stored.zst
zstd -q --no-progress -1 --no-check text -o unchecked.zst
works "$SLUICE" -d unchecked.zst -o out
same out text
rm out

# flip FILE PLACE: another byte there, counted from the end.
flip() {
    perl -e '
        open my $file, "+<:raw", $ARGV[0] or die; seek $file, -$ARGV[1], 2; read $file, my $byte, 1;
        seek $file, -$ARGV[1], 2; print $file chr(1 << int(rand 8) ^ ord $byte)' "$@"
}
refused() {
    fails timeout 20 "$@"
    says "corrupt frame at byte 0: its checksum does not match its content"
}
# wrong FILE: all ways to its content fail, and it does not leave as a whole.
wrong() {
    refused "$SLUICE" -q -d --rm "$1" -o out
    absent out
    no_leftovers
    refused "$SLUICE" -q -t "$1"
    refused "$SLUICE" -q -dc "$1" >out
    [ "$(size out)" -lt "$(size text)" ] || fail "all of it left"
    { refused "$SLUICE" -q -dc --hash=sha256; } <"$1" >out
    refused "$SLUICE" -q -dc --offset=33M "$1" >out
    refused "$SLUICE" -q -dc < <(cat "$1") | cat >out
    [ "$(size out)" -lt "$(size text)" ] || fail "all of it left"
    works "$SLUICE" -q -dc --no-check "$1" >out
    [ "$(size out)" = "$(size text)" ] || fail "not all of it without the checksum"
    rm out
}
for name in theirs ours; do
    works "$SLUICE" -q -t $name.zst
    if is_long; then places='4 3 2 1'; else places='4 1'; fi
    for place in $places; do
        cp $name.zst bad.zst
        flip bad.zst $place
        refused "$SLUICE" -q -t bad.zst
    done
    wrong bad.zst
    # What left is the beginning of the content.
    exits 1 "$SLUICE" -q -dc bad.zst >out
    prefix_of out text
    rm out
done
for place in 1M 33M; do
    cp stored.zst bad.zst
    flip bad.zst "$(numfmt --from=iec $place)"
    refuses zstd -q -t bad.zst
    if [ $place = 1M ] || is_long; then wrong bad.zst; else refused "$SLUICE" -q -dc bad.zst >out; fi
done
