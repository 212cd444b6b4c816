# The time of the last change can't be set back, as that of the last modification can.
needs strace
corpus text 200K >a
corpus text 200K >b
for names in a 'a b'; do
    touch -d '2001-01-01' a b
    # shellcheck disable=SC2086
    strace -D -f -qq -o /dev/null -e trace=fsync,syncfs -e inject=fsync,syncfs:delay_enter=700000 \
        "$SLUICE" -f --rm $names 2>said &
    run=$!
    sleep 0.35
    printf X | dd of=a conv=notrunc status=none
    touch -d '2001-01-01' a
    code=0
    wait $run || code=$?
    [ $code = 1 ] || fail "exit code $code"
    grep -q 'a: changed while it was read' said
    [ -e a ]
done
absent b
