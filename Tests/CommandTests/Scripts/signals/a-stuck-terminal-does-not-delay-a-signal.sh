# Standard error is a full pipe that nobody reads: the line that USR1 asks for waits, the signal that ends it does not.
mkfifo errors
exec 6<>errors
dd if=/dev/zero of=errors bs=65536 count=1 oflag=nonblock 2>/dev/null
mkfifo data
spawn status "$SLUICE" --progress=plain -o out.zst <data 2>errors &
exec 8>data
# It has begun.
sleep 0.3
kill -USR1 "$(pid status)"
sleep 0.3
kill -USR1 "$(pid status)"
sleep 0.3
kill -TERM "$(pid status)"
ended status SIGTERM
no_leftovers
