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
