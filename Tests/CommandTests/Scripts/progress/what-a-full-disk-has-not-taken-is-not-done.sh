. "$SCRIPTS/progress/terminal.bash"
small_disk disk 8M
corpus random 20M >data
"$SLUICE" -q -B1M data
waits() { tmux -S "$PWD/$1.tmux" capture-pane -p -J | grep -q 'no space left on device'; }
terminal one 120 8 "'$SLUICE' -dB1M data.zst -o disk/one"
await waits one
# The bar is drawn each tenth of a second.
sleep 1
shows one ' [34][0-9]% ' || fail "$(screen one)"
shows_not one '100%' || fail "$(screen one)"
shows_not one 'ETA +0:00' || fail "$(screen one)"
