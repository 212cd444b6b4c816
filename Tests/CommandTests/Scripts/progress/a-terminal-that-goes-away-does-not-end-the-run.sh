needs tmux
. "$SCRIPTS/progress/terminal.bash"
corpus random 4M >data
terminal t 80 5 "trap '' HUP; '$SLUICE' -B256K --limit-rate=2M --progress=bar data; echo \$? >code"
await shows t '%'
tmux -S "$PWD/t.tmux" kill-server
absent data.zst
await test -e data.zst
await test -s code
[ "$(cat code)" = 0 ]
zstd -dc data.zst | cmp - data
no_leftovers
# Without that, the hang-up ends it, and leaves nothing behind.
terminal u 80 5 "exec '$SLUICE' -f -B256K --limit-rate=1M data -o other.zst"
await shows u '%'
tmux -S "$PWD/u.tmux" kill-server
is_gone() { ! has_temporary; }
await is_gone
absent other.zst
no_leftovers
