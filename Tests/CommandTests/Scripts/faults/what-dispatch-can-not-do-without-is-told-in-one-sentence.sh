# libdispatch waits for a thread for ever, and traps without a word when it can't wait for events.
needs strace
corpus text 5M >a
"$SLUICE" -q -B256K a -o a.zst
refused() {
    fails timeout 20 "$@"
    grep -qE "^sluice: can't (start a thread|wait for events|wait for signals|set a timer): " "$messages" ||
        fail "not said: $(cat "$messages")"
    absent out
    no_leftovers
}
(
    # Enough for the first buffers, and not for the stacks.
    ulimit -v 50000
    refused "$SLUICE" -d a.zst -o out
)
for call in clone,clone3:error=EAGAIN clone,clone3:error=EPERM eventfd2:error=EMFILE epoll_create1:error=EMFILE \
    epoll_ctl:error=ENOMEM:when=1 epoll_ctl:error=EPERM epoll_ctl:error=EPERM:when=1 epoll_ctl:error=EPERM:when=2 \
    epoll_ctl:error=EBADF:when=1 signalfd4:error=EMFILE; do
    refused strace -D -f -qq -o /dev/null -e inject="$call" "$SLUICE" -d a.zst -o out
done
refused strace -D -f -qq -o /dev/null -e inject=timerfd_create:error=EMFILE "$SLUICE" --limit-rate=1M -d a.zst -o out
# Where files need names, none is left.
refused strace -D -f -qq -o /dev/null -e inject=access,faccessat:error=ENOENT \
    -e inject=clone,clone3:error=EAGAIN:when=2+ "$SLUICE" -d a.zst -o out
# One that is there a moment later is enough.
works strace -D -f -qq -o /dev/null -e inject=clone,clone3:error=EAGAIN:when=1..3 "$SLUICE" -q -d a.zst -o out
same out a
rm out
# A filter of system calls may refuse it in the words that the kernel has for files, and in every mode.
for words in '-c a' '-t a.zst' '-dc a.zst' '--copy -c a' 'a a.zst'; do
    # shellcheck disable=SC2086
    refused strace -D -f -qq -o /dev/null -e inject=epoll_ctl:error=EPERM "$SLUICE" $words
done
works "$SLUICE" -q -c - </dev/null >empty.zst
works "$SLUICE" -q -dc <empty.zst >/dev/null
(
    ulimit -n 4
    fails "$SLUICE" -d a.zst -o out
)
# And nothing is said if nothing is to be said.
exits 1 strace -D -f -qq -o /dev/null -e inject=clone,clone3:error=EAGAIN "$SLUICE" -qq -d a.zst -o out
silent
