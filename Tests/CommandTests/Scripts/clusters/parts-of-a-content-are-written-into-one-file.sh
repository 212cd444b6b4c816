. "$SCRIPTS/statistics/tools.bash"
corpus text 5M >plain
truncate -s 6M plain
corpus random 700K >>plain
printf x >byte
"$SLUICE" -q -1 -B256K plain -o table.zst
split -b 300K plain piece.
for piece in piece.*; do zstd -q -c "$piece"; done >headers.zst
"$SLUICE" -q byte -o byte.zst
# Side by side, whatever the number, by a seek table and by headers.
for name in table headers byte; do
    [ $name = byte ] && original=byte || original=plain
    for count in 1 2 3 7; do
        for ((part = count; part > 0; part--)); do
            "$SLUICE" -qv -d --part=$part/$count $name.zst -o whole 2>"said.$part" &
        done
        for job in $(jobs -p); do wait "$job" || fail "part failed: $(cat said.*)"; done
        absent whole
        works "$SLUICE" -d --join $name.zst -o whole
        says 'whole: '
        same whole "$original"
        [ -z "$(find . -name '.whole*')" ] || fail "left: $(find . -name '.whole*')"
        rm whole
    done
done
grep -q '^part 7 of 7: nothing of 1$\|^part 7 of 7: bytes 0 to 1 of 1$' said.7
# Shares are even, up to a frame.
for part in 1 2 3 4; do "$SLUICE" -qv -d --part=$part/4 table.zst -c 2>>shares >share.$part; done
cat share.1 share.2 share.3 share.4 | cmp - plain
for part in 1 2 3 4; do [ $(($(size share.$part) - $(size plain) / 4)) -le 262144 ]; done
# The words in either order; the name that -d gives; holes, mode and times as with -d.
chmod 640 table.zst
for part in 1 2 3; do works "$SLUICE" -q -d --part=$part/3 table.zst; done
works "$SLUICE" -q --join --rm -d table.zst
same table plain
[ "$(stat -c %a table)" = 640 ]
[ $(($(stat -c %b table) * 512)) -lt $(($(size plain) - 300000)) ] || fail "no holes: $(stat -c %b table)"
absent table.zst
"$SLUICE" -q -1 -B256K plain -o table.zst
# In a folder of folders like those of the sources.
mkdir -p from/here
cp -p table.zst from/here/table.zst
for part in 2 1; do works "$SLUICE" -q -d --part=$part/2 --output-dir-mirror to from/here/table.zst; done
works "$SLUICE" -q -d --join --output-dir-mirror to from/here/table.zst
same to/from/here/table plain
# A scheduler says which part it is.
PARALLEL_SEQ=2 works "$SLUICE" -qv -d --part=auto/3 table.zst -c >share
says 'part 2 of 3 (PARALLEL_SEQ=2): bytes '
# One that is killed is made again; one that is done is not.
for part in 1 3; do works "$SLUICE" -q -d --part=$part/3 table.zst -o whole; done
spawn killed "$SLUICE" -q -d --limit-rate 100K --part=2/3 table.zst -o whole &
await test -s killed.pid
sleep 0.5
kill -KILL "$(pid killed)"
wait
absent .whole.parts.2-of-3
fails "$SLUICE" -d --join table.zst -o whole
says 'part 2 of 3 is missing'
absent whole
works "$SLUICE" -d --part=2/3 table.zst -o whole
works "$SLUICE" -d --part=2/3 table.zst -o whole
says 'part 2 of 3 is already done'
works "$SLUICE" -q -d --join table.zst -o whole
same whole plain
# Zeros are written over what a run before has left.
rm whole
works "$SLUICE" -q -d --part=1/2 table.zst -o whole
python -c '
size = __import__("os").path.getsize("plain")
with open(".whole.parts", "r+b") as file:
    file.seek(size // 2 + 500000); file.write(b"rubbish" * 1000000); file.truncate(size)'
python - <<'END'
import glob
label = open(".whole.parts.1-of-2").read().rsplit("part 1", 1)[0]
open(".whole.parts", "ab").write(label.encode())
END
works "$SLUICE" -q -d --part=2/2 table.zst -o whole
works "$SLUICE" -q -d --join table.zst -o whole
same whole plain
# What has the name stays, but for -f.
fails "$SLUICE" -d --part=1/2 table.zst -o whole
says 'whole: already exists: not replaced'
echo mine >whole
for part in 1 2; do works "$SLUICE" -q -d -f --part=$part/2 table.zst -o whole; done
fails "$SLUICE" -d --join table.zst -o whole
[ "$(cat whole)" = mine ]
works "$SLUICE" -qdf --join table.zst -o whole
same whole plain
# Two of one part at once: one waits, and finds it done.
rm whole
spawn first "$SLUICE" -q -d --limit-rate 1M --part=1/1 table.zst -o whole &
await test -e .whole.parts
spawn second "$SLUICE" -d --part=1/1 table.zst -o whole 2>said &
await grep -q 'another process is making part 1 of 1; waiting for it' said
fails "$SLUICE" -d --join table.zst -o whole
says 'another process is making whole'
wait
[ "$(cat first) $(cat second)" = '0 0' ]
grep -q 'part 1 of 1 is already done' said
works "$SLUICE" -q -d --join table.zst -o whole
same whole plain
# A FUSE server has one mode for all files, and keeps for a while what they were.
if [ -w /dev/fuse ] && command -v bindfs >/dev/null; then
    mkdir real mounted
    bindfs -f -p 0755 -o attr_timeout=60 real mounted &
    await mountpoint -q mounted
    for part in 1 2 1; do works "$SLUICE" -q -d --part=$part/2 table.zst -o mounted/whole; done
    works "$SLUICE" -q -d --join table.zst -o mounted/whole
    same real/whole plain
    works "$SLUICE" -q --resume plain -o mounted/again.zst
    zstd -dc real/again.zst | cmp - plain
    umount mounted
    wait
fi
