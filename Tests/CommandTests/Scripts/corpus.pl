# corpus KIND SIZE: data to test with. CORPORA may name a folder with what repeats itself in text and random, as
# corpus KIND period prints it.
use strict;
use warnings;

my ($kind, $size) = @ARGV;
my $is_period = $size eq 'period';
$size = 1 << 20 if $is_period;
my %units = (K => 1 << 10, M => 1 << 20, G => 1 << 30);
$size = $1 * $units{$2} if $size =~ /^(\d+)([KMG])$/;
binmode STDOUT;

my $state = 2463534242;
sub next_number {
    # Xorshift: srand's numbers differ between versions of perl.
    use integer;
    $state ^= ($state << 13) & 0xffffffff;
    $state ^= $state >> 17;
    $state ^= ($state << 5) & 0xffffffff;
    return $state;
}

# Prints `block` again and again, each time from another place, up to `size` bytes.
sub repeat {
    my ($block) = @_;
    $size = length $block if $is_period;
    my ($left, $turn) = ($size, 0);
    while ($left > 0) {
        my $start = $turn++ * 7919 % length $block;
        my $part = substr($block, $start) . substr($block, 0, $start);
        $part = substr $part, 0, $left if length $part > $left;
        print $part or exit 1;
        $left -= length $part;
    }
}

# What was made before; undef if it was not.
sub made {
    my ($kind) = @_;
    open my $in, '<:raw', ($ENV{CORPORA} // '') . "/$kind" or return;
    local $/;
    return <$in>;
}

my $unique = $size < 1 << 20 ? $size : 1 << 20;
if ($kind eq 'zeros') {
    repeat("\0" x (1 << 16));
} elsif ($kind eq 'random') {
    my $block = made($kind) // '';
    $block .= pack 'V', next_number() while length $block < $unique;
    repeat(length $block ? $block : "\0");
} elsif ($kind eq 'text' and defined(my $made = made($kind))) {
    repeat($made);
} elsif ($kind eq 'text') {
    my @words;
    for (1 .. 2000) {
        my $word = '';
        $word .= chr(97 + next_number() % 26) for 0 .. 1 + next_number() % 9;
        push @words, $word;
    }
    my $block = '';
    while (length $block < $unique) {
        # Low numbers more often than high ones, as words are.
        my $rank = int((next_number() % 2000) * (next_number() % 2000) / 2000);
        $block .= $words[$rank] . (next_number() % 12 ? ' ' : "\n");
    }
    repeat($block);
} elsif ($kind eq 'binary') {
    my $left = $size;
    while ($left > 0) {
        for my $file (sort glob '/usr/bin/*') {
            open my $in, '<:raw', $file or next;
            next unless -f $in;
            while ($left > 0 and my $count = read $in, my $part, $left < 1 << 20 ? $left : 1 << 20) {
                print $part or exit 1;
                $left -= $count;
            }
        }
    }
} else {
    die "corpus: $kind?\n";
}
