# Slow: more than most.
corpus text 16M >part
if is_long; then random=64 plain=128 small=64 large=256; else random=16 plain=32 small=16 large=128; fi
corpus random ${random}M >random
stream() { for ((index = 0; index < $1 / 16; index++)); do cat part; done; }
stream $plain >plain
stream $small | zstd -q -1 -T0 >small-frame.zst
stream $large | zstd -q -1 -T0 >large-frame.zst
"$SLUICE" -q -1 plain -o own.zst --no-sync
check() {
    peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -v "$@" 2>"$messages" | tail -n 1)
    bound=$(allowed)
    [ -n "$bound" ] || fail "no bound: $(cat "$messages")"
    awk -v peak="$peak" -v bound="$bound" 'BEGIN { exit !(peak / 1024 <= bound) }' ||
        fail "$*: $peak KiB, which is more than $bound MiB"
}
# What a decompression may take is far more than what these frames need: two windows and outputs for each worker.
decodes() {
    check -T"$1" -t "$2"
    [ "$peak" -lt $(((48 + 16 * $1) * 1024)) ] || fail "$*: $peak KiB"
}
if is_long; then counts="1 2 4"; else counts="1 4"; fi
for threads in $counts; do
    check -T$threads -1 plain -o /dev/null
    check -T$threads -3 plain -o /dev/null
    check -T$threads -1 --single-frame plain -o /dev/null
    # Frames of random data, which become blocks.
    check -T$threads -1 -f -B64K random -o file
    check -T$threads -1 -f --single-frame random -o file
    check -T$threads -1 -f --patch-from=random plain -o file
    check -T$threads -1 -f --long=27 --verify=file plain -o file
    decodes $threads own.zst
    decodes $threads large-frame.zst
    decodes $threads small-frame.zst
    decodes $threads "$FIXTURES/zeros-70MB.zst"
done
