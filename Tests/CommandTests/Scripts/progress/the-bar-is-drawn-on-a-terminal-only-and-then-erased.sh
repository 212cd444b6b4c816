needs script
corpus random 4M >a
mkfifo data
cat >session <<'SHELL'
"$SLUICE" --stream-size=8M -o out.zst <data
SHELL
script -qec 'stty cols 60; bash session' /dev/null >said </dev/null &
exec 8>data
cat a >&8
sleep 1.2
cat a >&8
exec 8>&-
wait $!
tr '\r' '\n' <said | sed 's/\x1b\[[?0-9]*[A-Za-z]//g' >lines
grep -q '%' lines
grep -q 'ETA' lines
# It fits the width, and ends with the summary alone.
awk 'length > 60 { exit 1 }' <(grep -v "^out.zst: 8" lines)
grep -qE 'out.zst: 8\.00 MiB > .* s, .*/s' lines
tail -n 1 said | grep -q 'out.zst: 8'
# Never with --no-progress, -q, or without a terminal.
for words in --no-progress -q; do
    printf '"$SLUICE" %s -o out2.zst -f <data\n' "$words" >session
    script -qec 'bash session' /dev/null >said </dev/null &
    exec 8>data
    cat a >&8
    sleep 0.7
    exec 8>&-
    wait $!
    if grep -q '%\|ETA\|MiB/s *ETA' said; then fail "a bar with $words"; fi
done
