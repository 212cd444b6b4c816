# The kernel's random numbers fail from each call on: Swift's own would end the process by a signal.
needs strace
corpus text 300K >plain
"$SLUICE" -q plain -o plain.zst
count=$(strace -f -qq -e trace=getrandom "$SLUICE" -q -d -f plain.zst -o out 2>&1 | grep -c getrandom || true)
for when in $(seq 4 $((count + 2))); do
    echo old >out
    code=0
    strace -f -qq -o /dev/null -e trace=getrandom -e inject=getrandom:error=ENOSYS:when=$when+ "$SLUICE" -q -d -f plain.zst -o out 2>said || code=$?
    case $code in
    0) same out plain ;;
    1) [ "$(cat out)" = old ] && grep -q '^sluice: ' said ;;
    *) fail "exit code $code from call $when on: $(cat said)" ;;
    esac
    no_leftovers .
done
