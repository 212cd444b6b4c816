# It has no name: the tracer joins when it is there, and before data comes.
# The calls are counted in each thread, so there are many.
corpus random 32M >a
echo old >out
mkfifo data
for call in write:EIO:1 write:ENOSPC:2+ write:EIO:3+ write:EDQUOT:1 fsync:EIO:1 close:EIO:1 fchmod:EPERM:1; do
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
