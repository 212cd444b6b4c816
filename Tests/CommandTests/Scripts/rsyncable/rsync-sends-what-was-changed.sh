. "$SCRIPTS/rsyncable/tools.bash"
needs rsync
# percent TREE: how much of what is there rsync need not send, when the files of the tree before are there.
percent() {
    rm -rf there
    cp -r before there
    rsync --recursive --no-whole-file --ignore-times --stats "$1/" there/ >stats
    diff -r "$1" there >&9
    awk -F': ' '/^Total file size/ { total = $2 } /^Matched data/ { same = $2 }
        END { gsub(/[^0-9]/, "", total); gsub(/[^0-9]/, "", same); print int(100 * same / total) }' stats
}
mkdir -p before after/deep
for name in one two three; do
    noise $((3 << 20)) ${#name} >$name
    corpus text 1M >>$name
done
works "$SLUICE" -q -B512K --rsyncable --output-dir-flat before one two three
mkdir -p before/deep
mv before/three.zst before/deep
for name in one two three; do
    changed $name >$name.new
    mv $name.new $name
done
works "$SLUICE" -q -B512K --rsyncable --output-dir-flat after one two three
mv after/three.zst after/deep
[ "$(percent after)" -ge 90 ] || fail "rsync finds $(percent after) percent: $(cat stats)"
# And without it, it finds next to nothing: what this measures.
works "$SLUICE" -q -f -B512K --output-dir-flat before one two three
mkdir -p plain/deep
for name in one two three; do changed $name | "$SLUICE" -q -B512K >plain/$name.zst; done
mv plain/three.zst plain/deep
mv before/three.zst before/deep
[ "$(percent plain)" -le 20 ] || fail "rsync finds $(percent plain) percent without it"
# In one frame, as zstd does it.
rm -rf before after
mkdir before after
"$SLUICE" -q --single-frame -B512K --rsyncable -c one >before/one.zst
changed one | "$SLUICE" -q --single-frame -B512K --rsyncable >after/one.zst
[ "$(percent after)" -ge 80 ] || fail "rsync finds $(percent after) percent in one frame"
