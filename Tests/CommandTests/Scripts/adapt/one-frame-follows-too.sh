. "$SCRIPTS/adapt/tools.bash"
ln -s "$SLUICE" zstd
endless | ./zstd --adapt=max=9 --progress=json --interval=0.1 2>lines | pipe pass 3:300000 5:0 2>rates >/dev/null || true
level lines 0 4 '$2 >= 7'
level lines 4 8 '$2 <= 2'
# It is one frame, whatever became of the level, and whole.
head -c 24M text | pipe pass 1:3000000 9:0 2>rates | ./zstd -q --adapt=max=9 >frame.zst
zstd -q -d -c frame.zst >back
same back text
[ "$(zstd -l frame.zst | awk 'END { print $1 }')" = 1 ]
