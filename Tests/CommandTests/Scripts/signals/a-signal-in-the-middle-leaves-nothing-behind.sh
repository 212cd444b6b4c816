# Slow: more than most.
needs strace
corpus random 24M >a
"$SLUICE" -c -B1M a >b.zst
echo old >a.zst
echo old >b
# Each write takes its time, so that the middle lasts; the tracer is not the parent.
slow=(strace -D -f -qq -o "$LOGS/strace" -e trace=write,access,faccessat -e inject=write:delay_enter=50000)
# The last time as where there are no files without names.
named=(-e inject=access,faccessat:error=ENOENT)
for signal in INT TERM HUP named; do
    [ $signal != named ] || { signal=TERM && slow+=("${named[@]}"); }
    for words in '-f -B1M --rm a' '-d -f --rm b.zst' '-d -f b.zst' '-f --single-frame -1 a'; do
        # shellcheck disable=SC2086
        spawn status "${slow[@]}" "$SLUICE" -q $words 2>"$messages" &
        await has_temporary
        sleep 0.2
        since=$(now)
        kill -$signal "$(pid status)"
        ended status SIG$signal 1 "$since"
        no_leftovers
        [ "$(cat a.zst)" = old ]
        [ "$(cat b)" = old ]
        [ -e a ]
        [ -e b.zst ]
        # The tracer may have something to say.
        if grep -v '^strace: ' "$messages"; then fail 'not silent'; fi
        rm status*
    done
done
