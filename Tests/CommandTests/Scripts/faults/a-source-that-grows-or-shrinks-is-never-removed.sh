corpus random 8M >whole
# It is read slowly enough for the change to come in the middle.
slow() { strace -f -qq -o "$LOGS/strace" -P "$PWD/a" -e trace=read,pread64 -e inject=read,pread64:delay_enter=150000 "$@"; }
for who in dispatch workers; do
    cp whole a
    slow "$SLUICE" -q --rm -B1M --read=$who a 2>"$messages" &
    await has_temporary
    sleep 0.3
    echo more >>a
    wait $! && fail 'removed what had grown'
    says 'a: changed while it was read'
    [ -e a ]
    [ "$(size a)" = $((8 << 20 | 5)) ]
    zstd -t -q a.zst
    rm a.zst
    no_leftovers

    cp whole a
    slow "$SLUICE" -q --rm -B1M --read=$who a 2>"$messages" &
    await has_temporary
    sleep 0.3
    truncate -s 7M a
    wait $! && fail 'success with what had shrunk'
    says 'shrank'
    [ -e a ]
    absent a.zst
    no_leftovers
done

# Replaced by another file of the same name.
cp whole a
slow "$SLUICE" -q --rm -B1M a 2>"$messages" &
await has_temporary
echo other >b
mv b a
wait $! && fail 'removed another file'
[ "$(cat a)" = other ]
zstd -dc a.zst | cmp - whole
