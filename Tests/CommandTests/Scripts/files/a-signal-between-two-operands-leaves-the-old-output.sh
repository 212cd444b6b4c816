corpus random 400K >a
corpus random 150K >b
zstd -q a b
mkfifo messages.pipe
exec {held}<>messages.pipe
# between NAME OLD WORDS...: interrupts a run whose messages nobody reads, so that it waits between its operands.
between() {
    local name=$1 old=$2 drain
    shift 2
    # Full, whatever the run before has left in it.
    dd if=/dev/zero of=messages.pipe oflag=nonblock bs=4096 count=16 2>/dev/null || true
    cp "$old" out
    spawn "$name" "$SLUICE" -v "$@" 2>messages.pipe &
    pid=$(pid "$name")
    sleep 0.5
    kill -TERM "$pid"
    sleep 0.2
    cat <&"$held" >/dev/null &
    drain=$!
    ended "$name" SIGTERM
    kill "$drain"
    wait "$drain" || true
    same out "$old"
    no_leftovers
}
echo 'old output' >old
between decompress old -d -f a.zst b.zst -o out
between copy old --copy -f a b -o out
# Nor is a file extended by some of them.
works "$SLUICE" -q b -o grown
between append grown --append a b -o out
