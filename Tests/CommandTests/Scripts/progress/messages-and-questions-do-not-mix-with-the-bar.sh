needs tmux
. "$SCRIPTS/progress/terminal.bash"
for name in a b c d; do corpus random 2M >$name; done
: >c.zst
mkdir none
terminal t 100 12 "'$SLUICE' -B256K --limit-rate=2M a none missing b c d"
await shows t '%'
await shows t 'missing'
[ "$(screen t | sed -n 1p)" = 'sluice: none: is a directory' ] || shows t '^sluice: none: ' || fail "$(screen t)"
shows t '^sluice: missing: can.t open: no such file or directory$' || fail "$(screen t)"
# While it asks there is the question, alone on its line.
await shows t '^sluice: c.zst already exists; replace it \(y/n\)\? *$'
sleep 0.5
shows t '^sluice: c.zst already exists; replace it \(y/n\)\? *$' || fail "$(screen t)"
tmux -S "$PWD/t.tmux" send-keys y Enter
await shows t '^sluice: c.zst already exists; replace it \(y/n\)\? y$'
await shows t END
shows_not t '%' || fail "$(screen t)"
shows t '^4 of 6 files OK, 2 failed: 8.00 MiB > 8.00 MiB' || fail "$(screen t)"
zstd -dc c.zst | cmp - c
