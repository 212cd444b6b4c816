. "$SCRIPTS/lines/tools.bash"
log 20000 >log
works "$SLUICE" -q --lines -B64K -T1 -o one.zst log
works "$SLUICE" -q --lines=newline -B64K -T3 --read=workers -o two.zst log
same two.zst one.zst
works "$SLUICE" -q --lines -B64K --read=dispatch -c log >three.zst
same three.zst one.zst
{ head -c 70000 log; sleep 0.1; tail -c +70001 log; } | works "$SLUICE" -q --lines -B64K >four.zst
same four.zst one.zst
# Each part is made without the others, and found by a small read at its beginning.
for part in 1 2 3 4 5; do works "$SLUICE" -q --lines -B64K --part=$part/5 log; done
works "$SLUICE" -q --join --verify log.*-of-5.zst -o joined.zst
same joined.zst one.zst
cat log.*-of-5.zst | zstd -dcq | cmp - log
for part in 1 2 3 4; do works "$SLUICE" -dcq log.$part-of-5.zst | tail -c1 | cmp - <(echo); done
# With other line ends they are no parts of one file.
works "$SLUICE" -q -B64K --part=3/5 log -f
fails "$SLUICE" -q --join log.*-of-5.zst -o other.zst
says 'log.3-of-5.zst'
absent other.zst
# Records that end in NUL bytes, a small file, an empty one, one without any line end, and many at once.
tr '\n' '\0' <log >nul
works "$SLUICE" -q --lines=0 -B64K nul -c >nul.zst
works "$SLUICE" -dcq --part=2/3 nul.zst | tail -c1 | cmp - <(printf '\0')
works "$SLUICE" -dcq nul.zst | cmp - nul
printf 'one\ntwo' >small
: >empty
works "$SLUICE" -q --lines small empty log
works "$SLUICE" -dcq small.zst empty.zst log.zst | cmp - <(cat small empty log)
works "$SLUICE" -q --lines --append -B64K -o one.zst log
works "$SLUICE" -dcq one.zst | cmp - <(cat log log)
# Whole lines under zstd's names too.
ln -s "$SLUICE" zstd
works ./zstd -qf --lines log
works ./zstd -lv log.zst | grep -i frames >&9
