needs script
corpus text 10K >a
echo old >a.zst
(sleep 0.5; echo n) | script -qec "$SLUICE a" /dev/null >said && fail 'replaced against the answer'
grep -q 'already exists; replace it' said
[ "$(cat a.zst)" = old ]
(sleep 0.5; echo y) | script -qec "$SLUICE a" /dev/null >said
zstd -dc a.zst | cmp - a
