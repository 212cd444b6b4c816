# Thousands of operands are not looked at twice for a bar that nobody sees.
needs strace
for n in {1..200}; do echo "content $((n % 10))" >$n; done
strace -D -f -qq -o "$LOGS/calls" -e trace=newfstatat,stat "$SLUICE" -q -f {1..200}
await grep -qE '(AT_FDCWD, |stat\()"7"' "$LOGS/calls"
[ "$(grep -cE '(AT_FDCWD, |stat\()"7"' "$LOGS/calls")" = 1 ] || fail "$(grep '"7"' "$LOGS/calls")"
# Those who ask are told: the last line comes behind everything, also when the sources are gone by then.
works "$SLUICE" -f --progress=json {1..200}
says '"totalBytes":2000'
works "$SLUICE" -f --rm --progress=json {1..200}
says '"totalBytes":2000'
absent 1 200

# Another file that has the name by then does not count.
corpus random 800K >data
"$SLUICE" --progress=json --limit-rate 400K -B256K data 2>lines &
sleep 0.3
mv data moved
echo small >data
wait $!
if grep -v '"totalBytes":819200' lines; then fail 'another sum'; fi
[ -s lines ]
