# Slow: more than most.
# Between the last look at a source and its removal, another file comes to have its name.
needs strace
corpus text 100K >a
cp a kept
cp a second
calls=unlink,unlinkat,rename,renameat,renameat2
# swapped COMMAND...: runs it, and puts another file in the place of the source before the call that takes its name.
swapped() {
    echo precious >other
    rm -f trace
    strace -D -f -qq -o trace -P a -P "$PWD/a" -e trace=$calls -e inject=$calls:delay_enter=2000000 "$@" \
        2>"$messages" &
    await test -e a.zst
    sleep 0.5
    mv other a
    code=0
    wait $! || code=$?
    [ $code = 1 ] || fail "exit code $code"
    says 'a: changed while it was read: it '
    [ "$(cat a)" = precious ] || fail "it has gone"
    zstd -dc a.zst | cmp - kept
    no_leftovers
    rm -f a.zst second.zst
    cp kept a
}
swapped "$SLUICE" -q --rm a
cp kept second
swapped "$SLUICE" -q --rm second a
swapped "$SLUICE" -q --rm --no-sandbox a
# So it is with a link, whose file stays anyway.
ln -s kept link
works "$SLUICE" -qf --rm link
absent link
[ -e kept ]
# A name that can't be given, or a file that can't be removed, keeps it where it is.
for call in renameat unlinkat; do
    fails strace -f -qq -o /dev/null -e trace=$call -e inject=$call:error=EPERM "$SLUICE" -q --rm a
    says "a: can't remove: operation not permitted"
    same a kept
    zstd -dc a.zst | cmp - kept
    no_leftovers
    rm a.zst
done
