needs strace
corpus random 24M >a
"$SLUICE" -qc a >new
echo old >out
# The name that it is renamed from is all that a kill can leave, and only between these two calls.
calls=(write:3 write:9 fsync:1 fchmod:1 renameat:1 fsync:2)
! has_unnamed || calls+=(linkat:1 linkat:2)
for call in "${calls[@]}"; do
    code=0
    strace -f -qq -o "$LOGS/strace" -e trace="${call%:*}" -e "inject=${call%:*}:signal=SIGKILL:when=${call#*:}" \
        "$SLUICE" -qf --rm a -o out 2>/dev/null || code=$?
    # Which thread counts to so many writes is not certain.
    [ $code = 137 ] || { [ "${call%:*}" = write ] && [ $code = 0 ]; } || fail "$call: exit code $code"
    if [ "$(head -c 3 out)" = old ]; then
        [ -e a ]
    else
        # Whole, and only after that may the source be gone.
        zstd -dc out >back
        [ ! -e a ] || same a back
        mv -f back a
    fi
    echo old >out
    if has_unnamed && [ "$call" != renameat:1 ]; then no_leftovers; fi
    rm -f .*.tmp
done
