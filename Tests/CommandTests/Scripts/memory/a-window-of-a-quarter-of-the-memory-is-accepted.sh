# More than zstd accepts by itself, in a control group whose limit says what a quarter is.
. "$SCRIPTS/memory/tools.bash"
corpus text 20M >a
for _ in {1..16}; do cat a; done >plain
zstd -q -1 --long=28 <plain >wide.zst
# within MIB WORDS...: runs in the group with such a limit.
within() {
    echo "$(($1 << 20))" >"$group/$limit"
    shift
    bash -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' - "$group" "$SLUICE" "$@" 2>"$messages"
}
within 1200 -q -d wide.zst -o out
same out plain
cat wide.zst wide.zst | within 1200 -q -d -T4 | cmp - <(cat plain plain)
within 1200 -t -q wide.zst
exits 1 within 900 -q -d wide.zst -o none
says 'wide.zst: the frame at byte 0 needs a window of 256 MiB, the limit is'
says 'hint: sluice -d --long=28 -o none wide.zst decodes it'
absent none
# The same for ranges, where frames are found by their headers or not at all, and for what is intact.
for input in wide.zst "-"; do
    within 1200 -dc --offset=30M --length=1M "$input" <wide.zst | cmp - <(tail -c +$((30 * 1048576 + 1)) plain | head -c 1M)
    exits 1 within 900 -dc --offset=30M --length=1M "$input" <wide.zst >part
done
(cat wide.zst; head -c 1000 a; cat wide.zst) >damaged.zst
exits 1 within 1300 -q -dc --recover=drop -T4 damaged.zst >out
same out <(cat plain plain)
# The statistics say the limit that held.
within 1200 -q -t --stats=json wide.zst
held=$(sed -n 's/.*"windowLimitBytes" : \([0-9]*\).*/\1/p' "$messages")
[ "$held" -ge $((256 << 20)) ] && [ "$held" -le $((300 << 20)) ] || fail "$held: $(cat "$messages")"
exits 1 within 900 -q -t --stats=json wide.zst
held=$(sed -n 's/.*"windowLimitBytes" : \([0-9]*\).*/\1/p' "$messages")
[ "$held" -ge $((150 << 20)) ] && [ "$held" -lt $((256 << 20)) ] || fail "$held: $(cat "$messages")"
# The way that a file goes makes no difference: five bytes may ask for as much.
printf '\x28\xb5\x2f\xfd\x00\x90\x29\0\0hello' >five.zst
cp five.zst other.zst
printf hello >five.wanted
for memory in 1200 900; do
    for words in '-t five.zst' '-t -' '-t five.zst other.zst' '-t -T1 --no-sandbox five.zst other.zst' '-t five.zst wide.zst' \
        '-d -f five.zst -o five' '-d -f five.zst other.zst' '-d -f --no-sync five.zst other.zst' '-d -c five.zst other.zst' \
        '-d -c --offset=0 five.zst' '-d -c --tail=5 five.zst' '-d --recover -f five.zst other.zst' '-d --recover -c -' \
        '-t --against=five.wanted five.zst'; do
        # shellcheck disable=SC2086
        if [ "$memory" = 1200 ]; then
            within $memory -q $words <five.zst >/dev/null || fail "$words: $(cat "$messages")"
        else
            exits 1 within $memory -q $words <five.zst >/dev/null
            says 'needs a window of 256 MiB'
        fi
    done
done
same five five.wanted
same other five.wanted
