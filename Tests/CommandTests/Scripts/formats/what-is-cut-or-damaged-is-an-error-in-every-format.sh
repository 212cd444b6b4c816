source "$SCRIPTS/formats/make.bash"
corpus text 300K >a
pack a
# Cut at each of the first and last bytes, and at some between: an error that says where.
for format in "${formats[@]}"; do
    length=$(size "a.$format")
    for cut in 0 1 3 4 5 9 12 13 14 20 1000 $((length / 2)) $((length - 12)) $((length - 4)) $((length - 1)); do
        head -c $cut "a.$format" >cut
        fails "$SLUICE" -dc cut >out
        prefix_of out a
        if [ $cut -ge 4 ]; then says "unexpected end of input at byte $cut: the $(sed s/gz/gzip/ <<<$format) data is truncated"; fi
    done
done
# A byte that is changed is an error, or makes no difference; lzma alone has no checksum.
for format in gz xz lz4; do
    for at in 0 2 3 8 11 100 2000 30000 $(($(size "a.$format") - 6)) $(($(size "a.$format") - 1)); do
        perl -e 'local $/; my $d = <STDIN>; substr($d, $ARGV[0], 1) ^= "\x55"; print $d' $at <"a.$format" >bad
        code=0
        "$SLUICE" -dc bad >out 2>"$messages" || code=$?
        if [ $code = 0 ]; then same out a; else [ $code = 1 ] && [ -s "$messages" ]; fi
    done
done
# A checksum that does not match is told as such.
perl -e 'local $/; my $d = <STDIN>; substr($d, -8, 1) ^= "\x55"; print $d' <a.gz >bad
fails "$SLUICE" -t bad
says 'corrupt gzip data in the member at byte 0: its checksum does not match its content'
# What follows that is in no format is an error, after all that was whole.
for format in "${formats[@]}"; do
    for garbage in x 'something else' $'\x1f\x8b' $'\x5d'; do
        (cat "a.$format"; printf %s "$garbage") >bad
        fails "$SLUICE" -dc bad >out
        same out a
        says "at byte $(size "a.$format")"
    done
done
(cat a.gz; head -c 100 /dev/zero; printf x) >bad
fails "$SLUICE" -t bad
# Frames that announce a table have it, whatever comes after them, and before.
"$SLUICE" -c -B64K a >many.zst
table=$(perl -e 'local $/; $_ = <>; print rindex $_, "\x5e\x2a\x4d\x18"' many.zst)
[ "$table" -gt 1000 ]
for order in 'whole a.gz' 'a.gz whole'; do
    head -c "$table" many.zst >cut
    cp many.zst whole
    cat $order | works "$SLUICE" -qt
    cat ${order/whole/cut} >bad
    fails "$SLUICE" -t bad
    says 'the seek table that its header announces is missing'
done
