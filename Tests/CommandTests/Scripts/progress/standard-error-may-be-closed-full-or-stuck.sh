corpus random 2M >data
for style in bar plain json; do
    "$SLUICE" -B256K --limit-rate=2M --progress=$style data -o closed.$style --stats 2>&- &
    "$SLUICE" -B256K --limit-rate=2M --progress=$style data -o full.$style --stats 2>/dev/full &
    # The reader goes away at once: that is no reason to end.
    "$SLUICE" -B256K --limit-rate=2M --progress=$style data -o pipe.$style --stats 2> >(:) &
done
for job in $(jobs -p); do wait "$job" || fail 'ended with an error'; done
for file in closed.* full.* pipe.*; do zstd -dc $file | cmp - data; done
# Nobody reads, and the pipe is full: a signal ends it all the same.
mkfifo stuck
exec 8<>stuck
perl -e 'use Fcntl; fcntl(STDOUT, F_SETFL, O_NONBLOCK); 1 while syswrite STDOUT, "x" x 4096; 1 while syswrite STDOUT, "x"; fcntl(STDOUT, F_SETFL, 0)' >&8
corpus random 20M >large
spawn end "$SLUICE" --limit-rate=2M --progress=bar large -o stuck.zst 2>stuck &
pid=$(pid end)
sleep 1
kill -TERM "$pid"
ended end SIGTERM
absent stuck.zst
no_leftovers
