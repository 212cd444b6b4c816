# What found no room is written when there is some, from where it stopped; both ways, past the page cache and through it.
small_disk disk 6M
# What repeats nothing, however far away.
head -c 8M /dev/urandom >a
"$SLUICE" -q -B512K a -o whole.zst
waits() {
    local -
    set +x
    await mount -o remount,size=6M disk
    env --default-signal=INT,CONT "$SLUICE" --progress=none --on-full=wait "$@" 2>said &
    await grep -q 'disk/out: no space left on device; waiting for space' said
    sleep 1.2
    kill -0 $! || fail "it did not wait: $(cat said)"
    [ "$(grep -c waiting said)" = 1 ] || fail "said more than once: $(cat said)"
}
for words in "-B512K a" "-B512K --no-sync a" "-d whole.zst" "-d --no-sparse whole.zst" "--single-frame a" \
    "-B512K --resume a"; do
    # shellcheck disable=SC2086
    waits $words -o disk/out
    absent disk/out
    mount -o remount,size=20M disk
    kill -CONT $!
    wait $! || fail "$(cat said)"
    case $words in
        *whole*) same disk/out a ;;
        *) "$SLUICE" -qdc disk/out | cmp - a ;;
    esac
    [[ $words != *B512K* ]] || same disk/out whole.zst
    rm disk/out
done
# Without a signal, it sees by itself that there is room.
waits -B512K a -o disk/out
mount -o remount,size=20M disk
wait $!
same disk/out whole.zst
rm disk/out
# Whoever has enough of it ends it, and nothing is left.
waits -B512K a -o disk/out
kill -INT $!
code=0
wait $! || code=$?
[ "$code" = 130 ] || fail "ended with $code"
absent disk/out
no_leftovers disk
await test "$(df --output=used disk | tail -1)" -lt 100
# To fail is the default where no terminal is.
fails "$SLUICE" -B512K a -o disk/out
fails "$SLUICE" --on-full=fail -B512K a -o disk/out
says 'no space left on device'
fails "$SLUICE" --on-full=never a
says --on-full
# Small files wait, too.
mkdir disk/files
for number in 1 2 3 4 5 6 7 8; do corpus random 1M >"small$number"; done
waits_for_small() {
    "$SLUICE" --progress=none --on-full=wait --output-dir-flat disk/files small? 2>said &
    await grep -q waiting said
}
waits_for_small
mount -o remount,size=20M disk
wait $!
for number in 1 2 3 4 5 6 7 8; do "$SLUICE" -qdc "disk/files/small$number.zst" | cmp - "small$number"; done
