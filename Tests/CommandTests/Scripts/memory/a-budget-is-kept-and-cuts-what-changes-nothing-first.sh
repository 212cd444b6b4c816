# -M: the peak stays under it, slots and workers go before the frames, and these only with a word.
corpus text 16M >part
for _ in 1 2 3 4; do cat part; done >plain
corpus random 64M >random
works "$SLUICE" -q -T4 -3 plain -o usual.zst
# check MIB WORDS...: the run keeps to so many MiB.
check() {
    local mib=$1 peak
    shift
    peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -v -T4 -f "-M${mib}M" "$@" -o out 2>"$messages" | tail -n 1)
    [ "$peak" -le $((mib << 10)) ] || fail "$*: $peak KiB of $mib MiB"
    grep -qE "\(-M allows $mib(\.0)? MiB\)" "$messages" || fail "no budget in: $(cat "$messages")"
}
for mib in 150 $(is_long && echo 90) 75; do
    check $mib -3 plain
    same out usual.zst
    says 'reduced to fit, from 4 and 6'
    refuses grep -q warning "$messages"
done
check 39 -3 plain
says 'warning: plain: frames of 1.00 MiB instead of 8.00 MiB, to fit the memory: -M allows 39.0 MiB'
zstd -dcq out | same /dev/stdin plain
# A pipe, data that can't be compressed, a level that takes more, a buffer that is too large, one frame.
check 60 -1 <random
zstd -dcq out | same /dev/stdin random
check 70 -9 part
check 70 -1 --buffer=1G random
check 64 --single-frame plain
zstd -dcq out | same /dev/stdin plain
# The bound of a small file is its own, whatever there is room for.
head -c 100K plain >small
for input in small -; do
    check 40 $input <small
    bound=$(sed -n 's/.*memory at most \([0-9.]*\) MiB.*/\1/p' "$messages")
    awk -v bound="$bound" 'BEGIN { exit !(bound <= 40) }' || fail "$bound MiB of 40"
done
# The bytes do not depend on the threads that are left.
works "$SLUICE" -q -T1 --single-frame --jobsize=4M plain -o one.zst
works "$SLUICE" -q -T2 --single-frame --jobsize=4M -M300M plain -o two.zst
same one.zst two.zst
# What does not fit at all is told, and nothing is left.
fails "$SLUICE" -M20M plain -o none.zst
says 'plain: needs at least '
says 'of memory, but -M allows 20.0 MiB'
fails "$SLUICE" -M64M --ultra -22 --long=27 plain -o none.zst
says 'hint: a lower level needs less'
absent none.zst
# The way back: frames that do not fit come in parts.
works "$SLUICE" -q -1 -B8M random -o random.zst
for mib in 128 $(is_long && echo 64) 45; do
    check $mib -d usual.zst
    same out plain
    check $mib -d random.zst
    same out random
done
# As for zstd, -M accepts windows: of less memory than a run takes, too.
zstd -q -3 part -o small.zst
zstd -dq -M4MB small.zst -o theirs
works "$SLUICE" -qd -M4MB small.zst -o ours
same ours theirs
# Small files side by side.
mkdir many
for index in {1..40}; do head -c 3M random >many/$index; done
peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -q -T8 -M50M -r many | tail -n 1)
[ "$peak" -le $((50 << 10)) ] || fail "$peak KiB"
[ "$(find many -name '*.zst' | wc -l)" = 40 ]
