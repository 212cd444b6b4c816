# What no process writes to, or reads, ends the run with a sentence instead of letting it hang.
corpus text 100K >a
"$SLUICE" -q a
mkfifo pipe
# refused WORDS...
refused() {
    fails timeout 10 "$SLUICE" "$@" >/dev/null
    says 'pipe: '
    grep -qE 'FIFO|rate|index|not supported|illegal seek' "$messages" || fail "$(cat "$messages")"
    absent b
}
for option in --dictionary= --patch-from= --filelist= --limit-rate=@; do refused "${option}pipe" a -o b; done
for option in --dictionary= --patch-from= --filelist= --limit-rate=@; do refused -d "${option}pipe" a.zst -o b; done
for option in stats-file trace report; do refused --$option=pipe a -o b; done
fails timeout 10 "$SLUICE" -dc --offset=1 --index=pipe "$FIXTURES/single-frame-from-pipe-no-content-size.zst"
fails timeout 10 "$SLUICE" -t --against=pipe a.zst
fails timeout 10 "$SLUICE" --append a -o pipe
fails timeout 10 "$SLUICE" --part=1/2 --stats-file=pipe a -o b
[ -p pipe ]
# A rate that can't be read at once is none, at the start and later.
exec 5<>pipe
refused --limit-rate=@pipe a -o b
echo 10M >&5
works timeout 10 "$SLUICE" --limit-rate=@pipe a -o b
exec 5>&-
rm b
# The other end may come at the same moment, and then takes its time.
{ sleep 0.2; exec 5>pipe; sleep 0.3; echo a >&5; } &
works timeout 10 "$SLUICE" -c --filelist=pipe >b
wait
zstd -dc b | cmp - a
{ sleep 0.2; exec cat pipe >said; } &
works timeout 10 "$SLUICE" -cf --stats-file=pipe a >b
wait
grep -q elapsedSeconds said
works timeout 10 "$SLUICE" -c --filelist <(sleep 1.5; echo a) >b
zstd -dc b | cmp - a
# What is always there to be read is no file, but does.
works timeout 10 "$SLUICE" -c -D /dev/null a >b
zstd -dc b | cmp - a
