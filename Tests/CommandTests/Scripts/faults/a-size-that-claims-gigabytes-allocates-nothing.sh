perl -e '
    sub put { my ($name, $bytes) = @_; open my $out, ">:raw", $name; print $out $bytes; close $out }
    my $magic = pack "V", 0xFD2FB528;
    # A single segment of 4 GiB - 1, of 2^62, and windows of 128 MiB that say so.
    put("four.zst", $magic . pack("C", 0xA0) . pack("V", 0xffffffff) . "\x01\0\0" x 1);
    put("huge.zst", $magic . pack("C", 0xE0) . pack("Q<", 1 << 62) . "\x01\0\0");
    put("most.zst", $magic . pack("C", 0xE0) . pack("Q<", ~0) . "\x01\0\0");
    put("long.zst", $magic . pack("C", 0xC0) . pack("C", 17 << 3) . pack("Q<", 1 << 40) . "\x01\0\0");
    put("rle.zst", $magic . pack("C", 0xA0) . pack("V", 0x0fffffff) . "\x03\x00\x10\x00");
    # A seek table that claims as many frames as there may be, and one of frames of 4 GiB.
    my $empty = $magic . pack("C", 0x20) . "\0" . "\x01\0\0";
    put("table.zst", $empty . pack("VVVVC", 0x184D2A5E, 8 + 9, 0, 0, 0) . pack("VCV", 0x8000000, 0, 0x8F92EAB1));
    put("lying.zst", $empty . pack("VV", 0x184D2A5E, 8 + 9) . pack("VV", length $empty, 0xffffffff) . pack("VCV", 1, 0, 0x8F92EAB1));
    put("skip.zst", pack("VV", 0x184D2A50, 0xffffffff) . "abc");
    put("many.zst", $empty x 20000);
'
for name in four huge most long rle skip table lying; do
    for options in -t -l -dc; do
        code=0
        /usr/bin/env bash -c 'ulimit -v 900000; exec "$@"' - "$SLUICE" $options $name.zst >out 2>"$messages" || code=$?
        case $code in 0 | 1) ;; *) fail "$name $options: exit code $code" ;; esac
        [ $name = table ] || [ $name = lying ] || [ $options = -l ] || [ $code = 1 ] || fail "$name $options: exit code 0"
        [ $options = -l ] || [ ! -s out ] || fail "$name $options wrote something"
    done
    peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -qq -t $name.zst)
    [ "$peak" -lt 60000 ] || fail "$name: $peak KiB"
done
[ "$("$SLUICE" -dc many.zst | wc -c)" = 0 ]
