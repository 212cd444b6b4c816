# syncfs does not reach an ordinary FUSE server, and before a source goes its content must be on the disk.
needs bindfs strace
[ -w /dev/fuse ] || skip "FUSE can't be mounted here"
mkdir real mounted
for n in {1..5}; do corpus text 3000 >"real/f$n"; done
bindfs -f real mounted &
await mountpoint -q mounted
works strace -f -qq -y -o "$LOGS/strace" -e trace=fsync,syncfs,unlink "$SLUICE" -q --rm mounted/f*
for n in {1..5}; do
    zstd -t -q "real/f$n.zst"
    absent "real/f$n"
done
no_leftovers real
# All five, and each before the first source was removed.
[ "$(awk '/unlink\("mounted\/f[0-9]"/ { exit } /fsync\(.*mounted\/\./' "$LOGS/strace" | grep -c .)" = 5 ] ||
    fail "not each file was synced: $(cat "$LOGS/strace")"
