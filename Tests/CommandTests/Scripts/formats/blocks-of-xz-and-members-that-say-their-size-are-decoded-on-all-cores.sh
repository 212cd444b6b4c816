needs bgzip xz
if is_long; then mib=9; else mib=2; fi
{ corpus text ${mib}M && corpus random ${mib}00K; } >a
# Sizes in the headers of blocks, as xz writes them with several threads; blocks of several sizes.
xz -T2 -0 --block-size=${mib}00KiB -c a >blocks.xz
xz -T2 -0 --block-list=${mib}00KiB,100KiB,${mib}50KiB,1000,1MiB -c a >list.xz
# Sizes in the index alone: one thread writes before it knows them.
xz -T1 -0 --block-size=${mib}00KiB -c a >unsized.xz
bgzip -c a >members.gz
cat blocks.xz list.xz >streams.xz
(cat blocks.xz; head -c 64 /dev/zero; cat list.xz; head -c 8 /dev/zero) >padded.xz
(cat members.gz; cat unsized.xz) >mixed.xz
cat a a >twice
check() {
    for threads in 1 3; do
        works "$SLUICE" -T$threads -dc "$1" >out
        same out "$2"
        cat "$1" | works "$SLUICE" -T$threads -d >out
        same out "$2"
    done
    works "$SLUICE" -qt "$1"
}
for name in blocks.xz list.xz unsized.xz members.gz; do check $name a; done
for name in streams.xz padded.xz mixed.xz; do check $name twice; done
# Their workers are several, from a file.
works "$SLUICE" -q -T3 --stats=json -t unsized.xz
says '"workers" : 3'
# Cut or damaged, a file says and writes the same as for one worker. The last one begins with the blocks of one size.
for name in list.xz members.gz padded.xz; do
    length=$(size $name)
    for at in 4 11 12 20 30 1000 $((length / 3)) $((length / 2)) $((length - 100)) $((length - 20)) $((length - 5)); do
        head -c "$at" $name >cut
        perl -e 'local $/; my $d = <STDIN>; substr($d, $ARGV[0], 1) ^= "\x21"; print $d' "$at" <$name >bad
        for input in cut bad; do
            code=0
            "$SLUICE" -T1 -dc $input >one 2>one.says || code=$?
            again=0
            "$SLUICE" -T3 -dc $input >several 2>several.says || again=$?
            [ $code = $again ] || fail "$name, $input at $at: $again, and $code with one worker"
            same several one
            same several.says one.says
        done
    done
done
