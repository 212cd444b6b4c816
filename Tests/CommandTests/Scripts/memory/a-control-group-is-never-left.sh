# By default a run keeps to what its control group leaves: the kernel would kill it.
. "$SCRIPTS/memory/tools.bash"
corpus random 16M >part
for _ in {1..12}; do cat part; done >plain
works "$SLUICE" -q -T8 -1 -B8M --no-sync plain -o usual.zst
# within MIB WORDS...: runs in the group with such a limit.
within() {
    echo "$(($1 << 20))" >"$group/$limit"
    shift
    (
        echo "$BASHPID" >"$group/cgroup.procs"
        exec "$SLUICE" "$@" 2>"$messages"
    ) || fail "exit code $?: $*: $(cat "$messages")"
}
# Without a limit it takes more.
peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -q -f -T8 -1 -B8M --no-sync plain -o out | tail -n 1)
[ "$peak" -gt $((100 << 10)) ] || fail "only $peak KiB without a limit"
within 90 -v -f -T8 -1 -B8M --no-sync plain -o out
says 'available in the cgroup)'
says 'reduced to fit, from 8 and 10'
same out usual.zst
within 90 -v -f -T8 -d usual.zst -o out
same out plain
says 'reduced to fit'
# A frame whose window is more than there is, is refused, and by whom is said.
zstd -q -1 --ultra --long=27 plain -o long.zst
echo $((90 << 20)) >"$group/$limit"
fails bash -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' - "$group" "$SLUICE" -q -d long.zst -o none
says 'long.zst: the frame at byte 0 needs a window of 128 MiB, the limit is'
absent none
# Where nothing fits, a sentence comes before the end does.
echo $((24 << 20)) >"$group/$limit"
fails bash -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' - "$group" "$SLUICE" -q -19 plain -o none
says 'of memory, but has only'
absent none
