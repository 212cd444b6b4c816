mkfifo data
"$SLUICE" -o out <data 2>"$messages" &
exec 8>data
temporary >/dev/null
echo 'of somebody else' >out
echo data >&8
exec 8>&-
code=0
wait $! || code=$?
[ $code = 1 ]
says 'out: was created meanwhile: not replaced'
[ "$(cat out)" = 'of somebody else' ]
no_leftovers
# Nor a link that appears followed.
rm out
echo precious >precious
"$SLUICE" -o out <data 2>"$messages" &
exec 8>data
temporary >/dev/null
ln -s precious out
exec 8>&-
wait $! && fail 'replaced a link'
[ "$(cat precious)" = precious ]
no_leftovers
# Nor a folder, with -f, whether a file without a name gets one there or a temporary file is renamed.
for named in '' with_names; do
    rm -rf out
    $named "$SLUICE" -f -o out <data 2>"$messages" &
    exec 8>data
    temporary >/dev/null
    mkdir out
    exec 8>&-
    code=0
    wait $! || code=$?
    [ $code = 1 ]
    says "can't create out: is a directory"
    no_leftovers
done
