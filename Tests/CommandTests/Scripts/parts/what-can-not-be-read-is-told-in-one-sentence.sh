# Whichever read it is that fails while frames are looked for.
needs strace pzstd
corpus text 3M >plain
"$SLUICE" -q -B1M plain -o own.zst
zstd -q -T2 -B100000 plain -o one.zst
pzstd -q -1 -p 2 plain -o silent.zst
for file in own.zst one.zst silent.zst; do
    for when in 1 2 3 4 5 6 7 8; do
        code=0
        timeout 30 strace -f -qq -o trace -e trace=pread64 -e inject=pread64:error=EIO:when=$when \
            "$SLUICE" -d --tail=1000 --index=$file.index -c $file >part 2>"$messages" || code=$?
        # The first ones are those of the loader.
        [ $code != 127 ] || continue
        if [ $code = 0 ]; then
            same part <(tail -c 1000 plain)
        else
            [ $code = 1 ] || fail "exit code $code: $(cat "$messages")"
            says "can't read"
            [ ! -s part ]
        fi
    done
done
