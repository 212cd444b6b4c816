needs strace
corpus text 9M >a
corpus random 1M >b
cat a b a >whole
put() { printf '%s' "$1" | dd of="$2" bs=1 seek="$3" conv=notrunc status=none; }
# Many frames, one that comes in parts, another format, skippable frames, small frames, none that say their size.
works "$SLUICE" -q -B1M whole -o frames.zst
works "$SLUICE" -q -B3000 whole -o small.zst
works "$SLUICE" -q --single-frame --long whole -o one.zst
works "$SLUICE" -q --no-content-size -B512K whole -o sizeless.zst
gzip -c whole >g.gz
cp whole changed
# The second one is found first as often as not.
put XYZ changed 12345678
put XYZ changed 5000123
printf x >>changed
head -c 8000000 whole >short
(cat whole && printf more) >long
for file in frames.zst small.zst one.zst sizeless.zst g.gz; do
    for threads in 1 4; do
        works "$SLUICE" -t -q -T$threads --against=whole "$file"
        silent
        fails "$SLUICE" -t -q -T$threads --against=changed "$file"
        says "$file: the content differs from changed, first at byte 5000123"
        fails "$SLUICE" -t -q -T$threads --against=short "$file"
        says "$file: short ends at byte 8000000, before the content does"
        fails "$SLUICE" -t -q -T$threads --against=long "$file"
        says "$file: the content ends at byte $(size whole), before long does"
        fails "$SLUICE" -t -q -T$threads --against=/dev/null "$file"
        says "/dev/null ends at byte 0, before the content does"
    done
done
# The other order, and from a pipe; with a hash besides.
cp whole changed
put XYZ changed 100
put XYZ changed 18000000
fails "$SLUICE" -t -q --against changed <frames.zst
says 'standard input: the content differs from changed, first at byte 100'
sha256sum <whole | same /dev/stdin <(cat frames.zst | works "$SLUICE" -t -q --hash --against=whole)
: >empty
works "$SLUICE" -q empty
works "$SLUICE" -t -q --against=empty empty.zst
fails "$SLUICE" -t -q --against=a empty.zst
says 'the content ends at byte 0, before a does'
# What is damaged before the difference is told as that.
cp frames.zst damaged.zst
put XYZXYZXYZ damaged.zst 100
fails "$SLUICE" -t -q --against=short damaged.zst
says 'corrupt frame at byte 0'
# The memory does not grow with the content.
corpus zeros 220M >zeros
works "$SLUICE" -q zeros -o z.zst
perl "$SCRIPTS/peak.pl" "$SLUICE" -t -q -T2 --against=zeros z.zst >peak
[ "$(cat peak)" -lt 200000 ] || fail "took $(cat peak) KiB"
# An error of reading is none of the content.
fails strace -f -qq -o /dev/null -P "$PWD/whole" -e inject=pread64:error=EIO:when=5+ "$SLUICE" -t -q --against=whole frames.zst
says "can't read whole"
# Words.
fails "$SLUICE" -t --against=- frames.zst
says '--against takes a named file, not standard input'
fails "$SLUICE" -d --against=whole frames.zst
says '--against only works with -t'
fails "$SLUICE" -t --against=whole frames.zst one.zst
says '--against takes one file'
fails "$SLUICE" -t --against=absent frames.zst
says "can't open absent"
fails "$SLUICE" -t --against=. frames.zst
says "can't compare with .: "
mkfifo fifo
fails timeout 20 "$SLUICE" -t --against=fifo frames.zst
says "can't compare with fifo: "
