# Swift finds the words of the command line through /proc: without it each was ignored, with exit code 0.
needs strace
corpus text 300K >a
"$SLUICE" -q a -o a.zst
without_proc() { unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"; }
without_proc true 2>/dev/null || skip "file systems can't be mounted here"
works without_proc "$SLUICE" -dc a.zst >out
same out a
fails without_proc "$SLUICE" -t missing
says 'missing: can'"'"'t open'
[ "$(without_proc "$SLUICE" --version)" = "$("$SLUICE" --version)" ]
# Nor with no descriptor left, or with one that can't be read, for Swift's look at /proc.
for fault in openat:error=EMFILE:when={6..12} read:error=EIO:when={6..14}; do
    code=0
    strace -qq -o /dev/null -e inject="$fault" "$SLUICE" -t missing 2>said || code=$?
    # The loader's own reads are among them.
    [ $code = 1 ] && grep -q 'missing: can' said || [ $code = 127 ] || fail "exit code $code: $fault"
done
# The mode of what comes from standard input needs no /proc either.
for mask in 022 027 077; do
    (umask $mask; without_proc "$SLUICE" -q -f -o out.zst <a; touch plain-$mask)
    [ "$(stat -c %a out.zst)" = "$(stat -c %a plain-$mask)" ]
done
# A run that lasts, whose threads libdispatch counts there.
corpus text 40M >large
works without_proc "$SLUICE" -q -12 -T4 -c large >large.zst
zstd -dcq large.zst | cmp - large
