corpus binary 16M >part
stream() { for ((index = 0; index < $1; index++)); do cat part; done; }
# In KiB. 2 workers at level 1: 4 slots of 4 MiB frames with their bound, and the workers' contexts and buffers.
for gib in 1 3; do
    stream $((gib * 64)) | perl "$SCRIPTS/peak.pl" bash -c 'exec "$SLUICE" -T2 --fast=10 >/dev/null' >peak.$gib
done
cat peak.1 peak.3
[ $(($(cat peak.3) - $(cat peak.1))) -lt 8192 ] || fail "$(cat peak.1) KiB for 1 GiB, $(cat peak.3) KiB for 3 GiB"
[ "$(cat peak.3)" -lt $(((24 + 4 * (4 + 4 + 1) + 2 * (4 + 8)) * 1024)) ] || fail "$(cat peak.3) KiB"
# The way back.
stream 64 | "$SLUICE" -T2 --fast=10 -o all.zst -q --no-sync
stream 8 | "$SLUICE" -T2 --fast=10 -o some.zst -q --no-sync
for name in some all; do
    perl "$SCRIPTS/peak.pl" "$SLUICE" -T2 -qt $name.zst >peak.$name
    cat $name.zst | perl "$SCRIPTS/peak.pl" "$SLUICE" -T2 -qt >peak.pipe.$name
done
[ $(($(cat peak.all) - $(cat peak.some))) -lt 8192 ] || fail "$(cat peak.some) KiB for 128 MiB, $(cat peak.all) KiB for 1 GiB"
[ $(($(cat peak.pipe.all) - $(cat peak.pipe.some))) -lt 8192 ]
[ "$(cat peak.all)" -lt $(((24 + 4 * (4 + 4 + 1) + 2 * (4 + 8)) * 1024)) ] || fail "$(cat peak.all) KiB"
