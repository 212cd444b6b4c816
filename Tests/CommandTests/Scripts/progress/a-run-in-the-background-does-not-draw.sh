needs script
(sleep 1.5) | script -qec 'bash -ic "\"$SLUICE\" --stream-size=5 -o out.zst < <(sleep 1; echo data) & wait"' /dev/null >said
if grep -q 'ETA' said; then fail 'drew from the background'; fi
zstd -dc out.zst | grep -q data
