corpus text 200K >a
corpus text 100K | tail -c 30K >b
# Lines in zstd's form, with zstd's sizes where the frames are the same.
works timeout 20 "$SLUICE" -b1 -e3 -i0 a >ours
silent
zstd -b1 -e3 -i0 a | tr '\r' '\n' >theirs
[ "$(grep -cE '^ [123]#a {17}: +204800 -> +[0-9]+ \(x[0-9.]+\), +[0-9.]+ MB/s, +[0-9.]+ MB/s$' ours)" = 3 ]
# Such as 75000 (x2.730).
sed -nE 's/.*-> +([0-9]+ \(x[0-9.]+\)), .*MB\/s, .*/\1/p' theirs | uniq >sizes
[ "$(wc -l <sizes)" = 3 ]
sed -E 's/.*-> +([0-9]+ \(x[0-9.]+\)), .*/\1/' ours | same - sizes
works timeout 20 "$SLUICE" -qb1 -i0 a >ours
zstd -qb1 -i0 a >theirs
[ "$(head -n 1 ours)" = "$(head -n 1 theirs)" ]
[ "$(awk 'NR == 2 { print $1, $2, $3, $5, $7, $8 }' ours)" = "$(awk 'NR == 2 { print $1, $2, $3, $5, $7, $8 }' theirs)" ]
# Several together, or each for itself; what is made up; only the way back; with a dictionary, in frames, on threads.
works timeout 20 "$SLUICE" -b1 -i0 a b >out
grep -qF '# 2 files ' out
works timeout 20 "$SLUICE" -b1 -i0 -S a b >out
[ "$(wc -l <out)" = 2 ]
works timeout 20 "$SLUICE" -b1 -i0 -P80 >out
grep -q '^ 1#Synthetic 80% .*10000000' out
zstd -q a
works timeout 20 "$SLUICE" -b1 -i0 -d a.zst >out
grep -q '204800 -> .*, *0.00 MB/s' out
head -c 20K a >dict
works timeout 20 "$SLUICE" -b3 -i0 -D dict b >with
works timeout 20 "$SLUICE" -b3 -i0 b >without
works timeout 20 "$SLUICE" -b3 -i0 -B10K -T2 b >frames
compressed() { sed -E 's/.*-> +([0-9]+) .*/\1/' "$1"; }
[ "$(compressed frames)" -gt "$(compressed without)" ]
[ "$(compressed with)" != "$(compressed without)" ]
# As long as was asked, each way; nothing is left.
start=$SECONDS
works timeout 20 "$SLUICE" -b1 -i1 b >out
[ $((SECONDS - start)) -ge 1 ]
fails timeout 20 "$SLUICE" -b1 -i0 nowhere
says "sluice: nowhere: can't open"
: >empty
fails timeout 20 "$SLUICE" -b1 -i0 empty
says 'sluice: empty: is empty'
cp a bad
fails timeout 20 "$SLUICE" -b1 -i0 -d bad
says 'sluice: bad: not in a supported format'
fails timeout 20 "$SLUICE" -b1 -ix a
says 'sluice: -i takes a number of seconds, such as -i3, not x'
fails "$SLUICE" -b1 -e2 -i0 a >/dev/full
says "sluice: standard output: can't write: no space left on device"
absent b.zst
[ -z "$(find . -name '.*.tmp')" ]
