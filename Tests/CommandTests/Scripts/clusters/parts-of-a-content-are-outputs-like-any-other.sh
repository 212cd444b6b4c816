# Shares of the content, side by side, whatever their number, found by a seek table and by headers.
. "$SCRIPTS/statistics/tools.bash"
corpus text 5M >plain
truncate -s 6M plain
corpus random 700K >>plain
printf x >byte
"$SLUICE" -q -1 -B256K plain -o table.zst
split -b 300K plain piece.
for piece in piece.*; do zstd -q -c "$piece"; done >headers.zst
"$SLUICE" -q byte -o byte.zst
for name in table headers byte; do
    [ $name = byte ] && original=byte || original=plain
    for count in 1 2 3 12; do
        for ((part = count; part > 0; part--)); do
            "$SLUICE" -qv -d --part=$part/$count $name.zst 2>"said.$part" &
        done
        for job in $(jobs -p); do wait "$job" || fail "part failed: $(cat said.*)"; done
        # The names sort in the order of the parts.
        cat $name.*-of-$count >whole
        same whole $original
        rm $name.*-of-$count
    done
done
grep -q '^part 12 of 12: nothing of 1$\|^part 12 of 12: bytes 0 to 1 of 1$' said.12
# They are even, up to a frame, and go where other outputs go.
for part in 1 2 3 4; do "$SLUICE" -qv -d --part=$part/4 table.zst -c 2>>shares >share.$part; done
cat share.1 share.2 share.3 share.4 | cmp - plain
for part in 1 2 3 4; do [ $(($(size share.$part) - $(size plain) / 4)) -le 262144 ]; done
mkdir -p from/here
cp -p table.zst from/here/table.zst
for part in 2 1; do works "$SLUICE" -q -d --part=$part/2 --output-dir-mirror to from/here/table.zst; done
cat to/from/here/table.[12]-of-2 | cmp - plain
# A scheduler says which part it is.
PARALLEL_SEQ=2 works "$SLUICE" -qv -d --part=auto/3 table.zst -c >share
says 'part 2 of 3 (PARALLEL_SEQ=2): bytes '
# What has the name stays, but for -f; a run that is killed leaves nothing; a damaged frame fails its part alone.
echo mine >table.2-of-3
fails "$SLUICE" -d --part=2/3 table.zst
says 'already exists'
[ "$(cat table.2-of-3)" = mine ]
works "$SLUICE" -qf -d --part=2/3 table.zst
same table.2-of-3 share
rm table.2-of-3
spawn killed "$SLUICE" -q -d --limit-rate 100K --part=2/3 table.zst &
await test -s killed.pid
sleep 0.5
kill -TERM "$(pid killed)"
wait
absent table.2-of-3
no_leftovers
cp table.zst bad.zst
printf '\377\000\377' | dd of=bad.zst bs=1 seek=$(($(size bad.zst) / 2)) conv=notrunc status=none
codes=$(for part in 1 2 3 4; do "$SLUICE" -q -d --part=$part/4 bad.zst 2>>said >&2 || echo failed; done)
[ "$(grep -c failed <<<"$codes")" = 1 ] || fail "$codes"
# What can't be shared out.
corpus text 9M >large
"$SLUICE" -q -1 --single-frame large -o single.zst
fails "$SLUICE" -d --part=1/2 single.zst
says 'single.zst: it is a single frame, which can'
zstd -q <plain >stream.zst
fails "$SLUICE" -d --part=1/2 stream.zst
says 'stream.zst: its frames do not state the size of their content'
gzip -k plain
fails "$SLUICE" -d --part=1/2 plain.gz
: >empty
fails "$SLUICE" -d --part=1/2 empty -o whole
head -c 100000 table.zst >cut.zst
fails "$SLUICE" -d --part=1/2 cut.zst
# Words that do not go together.
for words in --rm --hash --recover --offset=1 --resume --verify -r; do fails "$SLUICE" -d --part=1/2 $words table.zst -o other; done
fails "$SLUICE" -d --part=1/2 table.zst table.zst -o other
fails "$SLUICE" -d --part=1/2 -o other <table.zst
fails "$SLUICE" -t --part=1/2 table.zst
fails "$SLUICE" -d --part=1/2 table.zst -o table.zst
fails "$SLUICE" -d --join table.zst -o other
says '--join joins compressed parts: cat joins decompressed ones'
absent other
