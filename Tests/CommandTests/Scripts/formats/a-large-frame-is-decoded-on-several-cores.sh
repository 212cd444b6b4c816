# One frame, as zstd makes it of a file: with two threads the same bytes, messages and exit codes as by libzstd alone.
needs strace
corpus text 33M >plain
# What is smaller is read and decoded as a whole.
corpus random 3M >>plain
zstd -q -3 plain -o one.zst
zstd -q -3 --long=27 plain -o long.zst
zstd -q -1 -c <plain >unsized.zst
alone=--single-core-decoding

# How often 4 GiB of addresses were reserved for the content of a frame.
maps() {
    strace -f -qq -e trace=mmap -o "$LOGS/strace" "$@" >"$LOGS/output"
    grep -c 'mmap(NULL, 4297064448' "$LOGS/strace" || :
}
for file in one long unsized; do
    "$SLUICE" -q -d -f -T2 $file.zst -o out
    same out plain
    [ "$(maps "$SLUICE" -q -t -T2 $file.zst)" = 1 ]
    [ "$(maps bash -c "cat $file.zst | \"$SLUICE\" -q -t -T2 -")" = 1 ]
    cat $file.zst one.zst | "$SLUICE" -q -d -T2 >out
    cmp out <(cat plain plain)
    "$SLUICE" -dc -T3 --offset=30M --length=1M $file.zst >part
    cmp part <(tail -c +$((30 * 1024 * 1024 + 1)) plain | head -c 1M)
done
"$SLUICE" -q -t -T2 --against=plain one.zst
[ "$("$SLUICE" -dc -T2 --hash=sha256 one.zst 2>&1 >/dev/null | cut -d' ' -f1)" = "$(sha256sum <plain | cut -d' ' -f1)" ]

# Not where there is one core, no checksum, or a small frame.
head -c 5M plain | zstd -q -o small.zst
zstd -q --no-check plain -o unchecked.zst
for words in "-T1 one.zst" "-T2 $alone one.zst" "-T2 small.zst" "-T2 unchecked.zst"; do
    [ "$(maps "$SLUICE" -q -t $words)" = 0 ]
done

# What is damaged is told in the same words, and a file by name is not made.
told() { "$SLUICE" "$@" >out 2>"$messages" && return 1 || sed 's/ [0-9.]* [KM]iB/ N/' "$messages"; }
size=$(size one.zst)
for place in 30 1000 $((size / 2)) $((size - 2)); do
    cp one.zst bad.zst
    printf '\377\000\377' | dd of=bad.zst bs=1 seek=$place conv=notrunc status=none
    exits 1 "$SLUICE" -q -d -T2 bad.zst -o none
    absent none
    [ "$(told -q -t -T2 bad.zst)" = "$(told -q -t -T2 $alone bad.zst)" ]
    [ "$(cat bad.zst | told -q -t -T2)" = "$(cat bad.zst | told -q -t -T2 $alone)" ]
    # Wrong bytes may leave before a wrong checksum is seen; they are those of libzstd.
    exits 1 "$SLUICE" -q -dc -T2 bad.zst >out
    exits 1 "$SLUICE" -q -dc -T2 $alone bad.zst >alone
    cmp out alone >"$LOGS/compared" 2>&1 || grep "EOF on" "$LOGS/compared"
done
head -c $((size / 2)) one.zst >bad.zst
[ "$(told -q -t -T2 bad.zst)" = "$(told -q -t -T2 $alone bad.zst)" ]
exits 1 "$SLUICE" -q -dc -T2 bad.zst >out
prefix_of out plain
[ "$(size out)" -gt 15000000 ]
no_leftovers

# A large window is in memory once, and twice where libzstd goes on behind damage.
for _ in {1..4}; do cat plain; done >plains
zstd -q -1 --long=27 plains -o wide.zst
cp wide.zst bad.zst
printf '\377\000\377' | dd of=bad.zst bs=1 seek=$(($(size wide.zst) / 5)) conv=notrunc status=none
for words in "200 wide.zst" "352 bad.zst"; do
    read -r most name <<<"$words"
    peak=$(perl "$SCRIPTS/peak.pl" bash -c "exec \"$SLUICE\" -q -T2 -dc $name 2>\"$messages\" >/dev/null" | tail -n 1)
    [ "$peak" -lt $((most * 1024)) ] || fail "$name: $peak KiB"
done
