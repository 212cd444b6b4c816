corpus text 10K >a
for words in '-o out a' 'a'; do
    # shellcheck disable=SC2086
    works "$SLUICE" --flush-interval=1 $words
    says 'warning: --flush-interval is for standard output: a file gets its name only at the end'
done
works "$SLUICE" --flush-interval=1 <a >b
silent
mkfifo fifo
cat fifo >b &
works "$SLUICE" -q --flush-interval=1 a -o fifo
works "$SLUICE" -c --buffer-start=50 a >b
says 'warning: --buffer-start without --buffer'
works "$SLUICE" -c --buffer=1M --buffer-start=50 a >b
silent
if [ "$(awk '/MemTotal/ { print int($2 / 1048576) }' /proc/meminfo)" -lt 1000 ]; then
    works "$SLUICE" -c --buffer=1024G a >b
    says 'warning: --buffer is larger than the memory of this machine'
fi
works "$SLUICE" -q -f a
for option in --stats --stats-file=c --trace=c --report=c; do
    works "$SLUICE" -l $option a.zst >list
    says 'is ignored: lists of frames, benchmarks and training have none'
    absent c
done
