corpus text 20M >a
for _ in {1..14}; do cat a; done | zstd -q -1 --long=28 >"it's wide.zst"
zstd -dcq --long=28 "it's wide.zst" >wanted
# It is more than a quarter of this, if not of what the machine has.
fails "$SLUICE" -q -d -M200MB "it's wide.zst"
says "it's wide.zst: the frame at byte 0 needs a window of 256 MiB, the limit is 200 MiB"
# The command works as it stands, and keeps to the memory that it names.
try() {
    local line mib peak
    line=$(sed -n 's/^sluice: hint: \(.*\) decodes it, with up to .*/\1/p' "$messages")
    mib=$(sed -n 's/.* decodes it, with up to \([0-9.]*\) MiB of memory$/\1/p' "$messages")
    [ -n "$mib" ] || fail "no command: $(cat "$messages")"
    mkdir -p bin
    ln -sf "$SLUICE" bin/sluice
    peak=$(PATH=$PWD/bin:$PATH perl "$SCRIPTS/peak.pl" bash -c "exec $line" 2>>"$messages" | tail -n 1)
    awk -v peak="$peak" -v mib="$mib" 'BEGIN { exit !(peak / 1024 <= mib) }' || fail "$peak KiB of $mib MiB"
}
try
same "it's wide" wanted
fails "$SLUICE" -q -dc -M200MB "it's wide.zst"
says "hint: sluice -d --long=28 -c 'it'\\''s wide.zst' decodes it"
fails "$SLUICE" -q -d -M200MB "it's wide.zst" -o out
says "hint: sluice -d --long=28 -o out 'it'\\''s wide.zst' decodes it"
try
same out wanted
fails "$SLUICE" -q -t -M200MB "it's wide.zst"
says 'hint: sluice -t --long=28 '
try
# What no decoder takes has no such command.
printf '\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00' >monster.zst
fails "$SLUICE" -q -d monster.zst
refuses grep -q 'decodes it' "$messages"
