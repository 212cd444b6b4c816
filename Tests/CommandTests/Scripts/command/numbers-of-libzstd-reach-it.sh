corpus text 400K >a
# The first frame's window, as zstd shows it, and the size that a number makes.
window() { zstd -lv "$1" 2>/dev/null | sed -n 's/^Window Size: .*(\([0-9]*\) B)$/\1/p'; }
made() {
    works "$SLUICE" -q -f "$@" a
    zstd -dcq --long=31 a.zst | cmp - a
    size a.zst
}
standard=$(made)
[ "$(made --zstd=strat=9,slog=9,clog=20)" != "$standard" ]
[ "$(made --zstd=strat=1,mml=7,hlog=6)" -gt "$standard" ]
[ "$(made --no-compress-literals)" -gt "$(($(made) * 11 / 10))" ]
[ "$(made --compress-literals --fast=5)" -lt "$(made --fast=5)" ]
[ "$(made --target-compressed-block-size=1K)" -gt "$(made)" ]
made --no-row-match-finder -7 >/dev/null
cp a.zst chains.zst
made --row-match-finder -7 >/dev/null
if cmp -s a.zst chains.zst; then fail '--no-row-match-finder changes nothing'; fi
made --zstd=wlog=17 >/dev/null
[ "$(window a.zst)" = 131072 ]
[ "$(made --max)" -lt "$(made -9)" ]
# -B is the size of a job where there is one frame; --jobsize, --split and --block-size are other words for it.
for word in -B100K --jobsize=100K --split=100K --block-size=100K; do
    works "$SLUICE" -q -f "$word" a
    [ "$("$SLUICE" -l a.zst | awk 'NR == 2 { print $1 }')" = 4 ]
done
# Frames need not say how long they are; then and otherwise they are read by all workers, and small ones in one go.
works "$SLUICE" -q -f --no-content-size -B64K a
zstd -lv a.zst >listed 2>/dev/null
grep -q 'Decompressed Size' listed && fail 'the size is there'
zstd -dcq a.zst | cmp - a
works "$SLUICE" -q -dc -T3 a.zst >out
same out a
# A mistake is told before anything is made.
rm a.zst
fails "$SLUICE" --zstd=wlog=32 a
says "sluice: windowLog=32 is out of range: 10 to 31, or 0 for the level's default"
fails "$SLUICE" --zstd=bogus=1 a
says 'sluice: --zstd takes parameters by name, such as wlog=20,strat=6, not bogus=1'
fails "$SLUICE" --zstd=wlog a
says 'sluice: --zstd takes a number for wlog, such as wlog=20'
absent a.zst
works "$SLUICE" -c --zstd=ovlog=9 a >out
says 'warning: overlapLog is ignored'
