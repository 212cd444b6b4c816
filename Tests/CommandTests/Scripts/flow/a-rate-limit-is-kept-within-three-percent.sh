# Long: it measures rates for ten seconds.
. "$SCRIPTS/flow/tools.bash"
corpus random 40M >a
"$SLUICE" -q -B256K a
export START=$(now)
# 40 MiB in ten seconds, all at once: files and pipes, each way.
timed() {
    "$@"
    awk -v start="$START" -v end="$(now)" 'BEGIN { print end - start }' >"$name.time"
}
run() {
    name=$1
    shift
    timed "$@" 2>>"$messages" &
}
run compress "$SLUICE" -q -B256K --limit-rate=4M a -o b.zst
run decompress "$SLUICE" -q --limit-rate=4M/s a.zst -d -o b
run copy "$SLUICE" --copy --limit-rate=4MiB a -o c
run tested "$SLUICE" -qt --limit-rate=4194304 a.zst
(cat a | timed "$SLUICE" -B256K --limit-rate=4M | meter compressed) &
name=pipe run pipe bash -c 'cat a.zst | "$SLUICE" -d --limit-rate=4M | perl "$SCRIPTS/flow/meter.pl" decompressed'
(cat a | "$SLUICE" --copy --limit-rate=4M | meter copied) &
wait
for name in compress decompress copy tested pipe; do
    awk '{ exit !($1 > 9.7 && $1 < 10.3) }' "$name.time" || fail "$name: $(cat "$name.time") s"
done
same a b
same a c
# No pause and no burst is longer than half a second; the rate is that of the input.
for name in compressed decompressed copied; do
    holds $name '$3 > 4194304 * 0.97 && $3 < 4194304 * 1.03'
    holds $name '$4 < 0.5'
    holds $name '$5 < 4194304 * 1.0'
done
