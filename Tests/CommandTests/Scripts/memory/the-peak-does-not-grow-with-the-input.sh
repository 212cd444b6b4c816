corpus binary 16M >part
stream() { for ((index = 0; index < $1 / 16; index++)); do cat part; done; }
grows_by_less_than() { [ $(($(cat "$3") - $(cat "$2"))) -lt "$1" ] || fail "$2: $(cat "$2") KiB, $3: $(cat "$3") KiB"; }
if is_long; then small=1024 large=3072; else small=96 large=240; fi
# In KiB; a longer run has more chances for all its buffers to be full at once.
for mib in $small $large; do
    stream $mib | perl "$SCRIPTS/peak.pl" bash -c 'exec "$SLUICE" -T2 --fast=10 >/dev/null' >compress.$mib
done
grows_by_less_than 12288 compress.$small compress.$large
# The way back, from a file and from a pipe.
for mib in $small $large; do
    stream $mib | "$SLUICE" -T2 --fast=10 -o a.zst -qf --no-sync
    perl "$SCRIPTS/peak.pl" "$SLUICE" -T2 -qt a.zst >file.$mib
    cat a.zst | perl "$SCRIPTS/peak.pl" "$SLUICE" -T2 -qt >pipe.$mib
done
grows_by_less_than 12288 file.$small file.$large
grows_by_less_than 12288 pipe.$small pipe.$large
