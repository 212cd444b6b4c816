corpus random 8M >whole
# It is read slowly enough for the change to come in the middle.
slow() { strace -f -qq -o "$LOGS/strace" -P "$PWD/a" -e trace=read,pread64 -e inject=read,pread64:delay_enter=150000 "$@"; }
needs strace
for words in --rm ''; do
    cp whole a
    slow "$SLUICE" --single-frame $words a 2>"$messages" &
    await has_temporary
    sleep 0.3
    echo more >>a
    code=0
    wait $! || code=$?
    [ $code = $((${#words} > 0)) ] || fail "exit code $code: $(cat "$messages")"
    says 'a: grew while it was read: the output has its first 8388608 bytes'
    [ "$(size a)" = $((8 << 20 | 5)) ]
    zstd -dcq a.zst | cmp - whole
    rm a.zst
done
