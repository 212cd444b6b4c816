# Frames of which each takes seconds to be written: bytes move all the time, though none counts before its frame has ended.
head -c 24M /dev/urandom >data
"$SLUICE" -cq -B12M --progress=json --interval=0.2 data 2>lines |
    perl -e 'while (sysread STDIN, $_, 1 << 18) { select undef, undef, undef, 0.08 }'
[ "$(wc -l <lines)" -gt 20 ] || fail "$(cat lines)"
if grep stalledSeconds lines; then fail 'stalled'; fi
# A reader that does not read at all is one.
"$SLUICE" -cq -B12M --progress=json --interval=0.2 data 2>lines | perl -e 'sleep 12; 1 while sysread STDIN, $_, 1 << 20'
grep -q '"stalledSeconds":1[0-2]' lines || fail "$(cat lines)"
