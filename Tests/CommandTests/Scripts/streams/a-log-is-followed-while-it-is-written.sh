# As tail -F follows a log: what a writer has flushed comes at once, whatever becomes of the file's name, until a signal.
has() { grep -qx -- "$1" out; }
tells() { grep -qF -- "$1" said; }
# Lines go to descriptor 8.
write_log() {
    rm -f lines
    mkfifo lines
    "$SLUICE" -q --flush-interval=0.1 <lines >log.zst &
    writer=$!
    exec 8>lines
}
spawn follower "$SLUICE" -dc --follow log.zst >out 2>said &
await tells "sluice: log.zst: can't open: no such file or directory; waiting for it"
write_log
await tells 'log.zst: has appeared'
for line in one two; do
    echo $line >&8
    await has $line
done
# A log that is renamed is followed to its end, and then the file that takes its name.
mv log.zst log.1.zst
echo three >&8
await has three
exec 8>&-
wait "$writer"
await tells 'log.zst: the stream has ended; waiting for another one under the name'
write_log
echo four >&8
await has four
tells 'log.zst: has been replaced; following the new file'
# A writer that is killed has no table; another one writes into the same file.
kill -KILL "$writer"
wait "$writer" || true
exec 8>&-
write_log
echo five >&8
await has five
tells 'log.zst: was truncated; following it from its start'
# It costs no time to wait.
ticks() { awk '{ print $14 + $15 }' "/proc/$(pid follower)/stat"; }
before=$(ticks)
sleep 2
spent=$(($(ticks) - before))
[ "$spent" -le 20 ] || fail "$spent ticks of processor time in two seconds"
# A frame of which a part has come is waited for.
echo six >&8
exec 8>&-
wait "$writer"
await has six
printf 'seven\n' | "$SLUICE" -qc >frame
head -c 10 frame >>log.zst
sleep 0.5
tail -c +11 frame >>log.zst
await has seven
kill -INT "$(pid follower)"
ended follower SIGINT 3 "$(now)"
printf '%s\n' one two three four five six seven | cmp - out
# The last lines come first. A reader that leaves ends it, though nothing more is written.
spawn lines "$SLUICE" -qdc --follow --tail-lines=2 log.1.zst | head -n 1 >first &
ended lines SIGPIPE 5 "$(now)"
[ "$(cat first)" = two ]
spawn tail "$SLUICE" -qd --follow --tail=4 log.1.zst | head -n 1 >first &
ended tail SIGPIPE 5 "$(now)"
[ "$(cat first)" = ree ]
# One stream, to its end: also one of a single frame.
echo only | "$SLUICE" -q --flush-interval=1 >short.zst
for log in log.1 short; do
    works timeout 20 "$SLUICE" -dc --follow=stream $log.zst >whole
    silent
    zstd -qdc $log.zst | cmp - whole
done
# The writer's last frame is not there yet.
head -c -30 log.1.zst >late.zst
spawn late "$SLUICE" -dc --follow=stream late.zst >whole &
await test -s whole
mv late.zst later.zst
tail -c 30 log.1.zst >>later.zst
await test -s late.time
[ "$(cat late)" = 0 ]
zstd -qdc log.1.zst | cmp - whole
# A stream that can't have its end any more is an error.
head -c -30 log.1.zst >gone.zst
spawn gone "$SLUICE" -dc --follow=stream gone.zst >whole 2>said &
await test -s whole
: >gone.zst
await test -s gone.time
[ "$(cat gone)" = 1 ]
tells 'sluice: gone.zst: was truncated before the end of its stream'
# A link may lead to another file, in its own directory or in that of its target.
mkdir dated
cp log.1.zst dated/a.zst
ln -s dated/a.zst current.zst
spawn linked "$SLUICE" -qdc --follow current.zst >linked.out 2>said &
await test -s linked.out
cp short.zst dated/b.zst
ln -s dated/b.zst next
mv -T next current.zst
await grep -qx only linked.out
kill -TERM "$(pid linked)"
ended linked SIGTERM 3 "$(now)"
# A link whose target is not there yet, in another directory; and then a FIFO under the name, which is not opened.
mkdir later
ln -s later/c.zst soon.zst
spawn dangling "$SLUICE" -dc --follow soon.zst >dangling.out 2>said &
await tells "soon.zst: can't open: no such file or directory; waiting for it"
cp short.zst later/c.zst
await grep -qx only dangling.out
mkfifo later/fifo
mv later/fifo later/c.zst
await tells 'soon.zst: is not a file; waiting for one'
kill -TERM "$(pid dangling)"
ended dangling SIGTERM 3 "$(now)"
# What can't be decoded before more comes is waited for without looking all the time.
head -c 5 log.1.zst >torn.zst
spawn torn "$SLUICE" -dc --follow torn.zst >torn.out 2>said &
torn=$(pid torn)
sleep 1
switches() { awk '/^voluntary/ { print $2 }' "/proc/$torn/status"; }
before=$(switches)
sleep 2
[ $(($(switches) - before)) -le 6 ] || fail "woken $(($(switches) - before)) times in two seconds"
kill -TERM "$torn"
ended torn SIGTERM 3 "$(now)"
