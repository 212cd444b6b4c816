# A frame whose end is a hole keeps its slot until all that is before the hole is written.
needs strace
for _ in {1..12}; do corpus random 8128K; corpus zeros 64K; done >data
works "$SLUICE" -q -1 -B8M data
rm data
# Each write of half a mebibyte takes 20 ms.
strace -f -qq -o trace -e trace=write -e inject=write:delay_exit=20000 \
    "$SLUICE" -d -v -T2 --no-sync data.zst 2>"$messages" || fail "$(cat "$messages")"
bound=$(allowed)
peak=$(sed -n 's/.*peak memory \([0-9.]*\) MiB so far.*/\1/p' "$messages")
awk -v peak="$peak" -v bound="$bound" 'BEGIN { exit !(peak > 0 && peak <= bound) }' || fail "$peak MiB of $bound"
# There were holes.
[ "$(stat -c %b data)" -lt $((12 * 8192 * 2 - 1000)) ] || fail 'no holes'
