# Its reader waits for an end, whatever happened before anybody looked at the name.
needs setpriv
ends() {
    timeout 10 cat "$1" >"$LOGS/got" || fail "$1 does not end"
    [ "$(size "$LOGS/got")" = "$2" ] || fail "$1 has $(size "$LOGS/got") bytes"
}

corpus random 3000 >a
for name in p q; do
    zstd -q -o $name.zst a
    # Not of the frame's header: that it is damaged shows only when it is decompressed.
    printf x | dd of=$name.zst bs=1 seek=3004 conv=notrunc status=none
    mkfifo $name
done
timeout 20 "$SLUICE" -df p.zst q.zst 2>"$messages" &
ends p 0
ends q 0
code=0
wait $! || code=$?
[ $code = 1 ]
says 'p.zst: '
rm p q

# No file can be made in the folder, and none has to be.
mkdir closed
cp a closed
cp a closed/b
mkfifo -m 666 closed/a.zst closed/b.zst
chmod 555 closed
chmod 711 "$LOGS"
timeout 20 setpriv --reuid=65534 --regid=65534 --clear-groups "$SLUICE" -qf closed/a closed/b &
ends closed/a.zst 3014
ends closed/b.zst 3014
wait $!
chmod 755 closed

small_disk full 1M
trap 'umount -l full' EXIT
cp a full
cp a full/b
mkfifo full/a.zst full/b.zst
cat /dev/zero >full/filler 2>"$LOGS/full" || true
timeout 20 "$SLUICE" -qf full/a full/b &
ends full/a.zst 3014
ends full/b.zst 3014
wait $!
