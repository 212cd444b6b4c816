# It has no name: the tracer joins when it is there, and before data comes.
# The calls are counted in each thread, so there are many.
needs strace
corpus random 32M >a
echo old >out
mkfifo data
for call in write:EIO:1 write:ENOSPC:2+ write:EIO:3+ write:EDQUOT:1 fsync:EIO:1 close:EIO:1; do
    IFS=: read -r name error when <<<"$call"
    spawn status "$SLUICE" -f -T1 -B64K - -o out <data 2>"$messages" &
    exec 8>data
    file=$(readlink "$(temporary)")
    file=${file% (deleted)}
    sluice=$(pid status)
    strace -f -qq -o "$LOGS/strace" -p "$sluice" -P "$file" -e trace="$name" -e "inject=$name:error=$error:when=$when" 8>&- &
    tracer=$!
    await grep -q 'TracerPid:.*[1-9]' "/proc/$sluice/status"
    (cat a >&8) 2>/dev/null || true
    exec 8>&-
    ended status 1
    wait $tracer || true
    grep -q INJECTED "$LOGS/strace" || fail "$call: never made"
    grep -q '^sluice: out: ' "$messages" || grep -q "^sluice: .*can't .* out: " "$messages" || fail "$call: $(cat "$messages")"
    [ "$(cat out)" = old ] || fail "$call: the old output is gone"
    no_leftovers
    rm status*
done
# A write of no bytes is an error too, and neither the end of the output nor tried for ever.
works "$SLUICE" -q -1 -B1M a
for words in '-dc a.zst' '-c a' '--copy -c a' '-dc --range=1M-9M a.zst'; do
    # shellcheck disable=SC2086 # several words
    fails timeout 20 strace -D -f -qq -o /dev/null -P "$PWD/out" -e inject=write:retval=0:when=1 "$SLUICE" $words >out
    says 'input/output error'
done
# Whichever call to position a file fails, there is a sentence, or it did no harm.
for number in {1..12}; do
    code=0
    timeout 20 strace -D -f -qq -o /dev/null -e inject=lseek:error=EIO:when="$number+" \
        "$SLUICE" -qf -d --part=2/3 a.zst -o b.2 2>"$messages" || code=$?
    [ $code = 0 ] || { [ $code = 1 ] && says 'input/output error'; } || fail "$number: $code"
done
for part in 1 2 3; do works "$SLUICE" -qf -d --part=$part/3 a.zst -o b.$part; done
cat b.1 b.2 b.3 | cmp - a
