. "$SCRIPTS/progress/terminal.bash"
mkdir many
for number in {1..120}; do corpus random 40K | tail -c 40000 >many/$number; done
odd=$'odd\e[31m\x01\n\xff name'
corpus random 3M >"$odd"
terminal many 160 5 "'$SLUICE' -c --limit-rate=1M many/* >/dev/null"
terminal name 160 5 "'$SLUICE' -c -B256K --limit-rate=1M ./odd* >/dev/null"
await shows many ' [0-9]+/120 .*\[=*> *\] +[0-9]+% .*ETA'
await shows name 'odd.*1B.*n.* name \['
[ "$(lines name)" = 1 ] || fail "$(screen name)"
await shows many END
await shows name END
[ "$(screen many | tr -d '\n ')" = END ] || fail "$(screen many)"
