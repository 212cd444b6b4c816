# Large writes get large blocks of the page cache, which are cold on many virtual machines.
corpus random 24M >a
most() { grep -oE ' write\(.*' "$LOGS/strace" | sed -n 's/.*= //p' | sort -n | tail -n 1; }
writes() { strace -f -qq -s0 -o "$LOGS/strace" -e trace=write "$@"; }
works writes "$SLUICE" -q -B8M --no-sync a
[ "$(most)" = 524288 ]
works writes "$SLUICE" -q -d a.zst -o back
[ "$(most)" = 524288 ]
same a back
