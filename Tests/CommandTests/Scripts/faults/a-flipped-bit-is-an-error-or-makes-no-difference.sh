# A few of them; each bit of smaller streams is tried by DamageTests.
corpus text 20K >a
"$SLUICE" -c -B64K a >one.zst
corpus text 40K >b
"$SLUICE" -c -B8K b >many.zst
perl -e '
    use strict; use warnings;
    srand 7;
    my %codes;
    for my $case (["one.zst", "a", 30], ["many.zst", "b", 50]) {
        my ($name, $plain, $count) = @$case;
        local $/;
        open my $in, "<:raw", $name; my $good = <$in>;
        open $in, "<:raw", $plain; my $want = <$in>;
        for my $turn (1 .. $count) {
            my $bad = $good;
            my $bit = int rand 8 * length $bad;
            # The first and the last bytes are the interesting ones.
            $bit = 8 * ($turn - 1) + $turn % 8 if $turn <= 8;
            $bit = 8 * length($bad) - 1 - 7 * ($turn - 9) if $turn > 8 and $turn <= 16;
            vec($bad, $bit, 1) ^= 1;
            open my $out, ">:raw", "flipped.zst"; print $out $bad; close $out;
            open my $run, "-|:raw", "$ENV{SLUICE} -T2 -dc flipped.zst 2>error" or die; my $got = <$run> // ""; close $run;
            my $code = $?;
            $codes{$code}++;
            die "$name, bit $bit: status $code\n" if $code != 0 and $code != 256;
            die "$name, bit $bit: wrong bytes with exit 0\n" if $code == 0 and $got ne $want;
            die "$name, bit $bit: not a beginning of the data\n" if $got ne substr $want, 0, length $got;
            die "$name, bit $bit: no message\n" if $code and -s "error" == 0;
        }
    }
    die "no errors at all\n" if ($codes{256} // 0) < 70;
'
