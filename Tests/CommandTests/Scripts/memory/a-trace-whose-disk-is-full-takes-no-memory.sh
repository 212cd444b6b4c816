# After the first failure nothing of it is kept; the data is complete.
corpus text 24M >data
perl "$SCRIPTS/peak.pl" "$SLUICE" -q -1 -T2 -B1K --no-sync --trace=/dev/full data 2>"$messages" >peak
says 'no space left on device'
[ "$(cat peak)" -lt $((56 << 10)) ] || fail "$(cat peak) KiB"
zstd -dcq data.zst | cmp - data
