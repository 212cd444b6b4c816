# Ten thousand operands are not looked at twice for a bar that nobody sees.
for n in {1..50}; do echo "content $((n % 10))" >$n; done
strace -f -o calls -e trace=newfstatat,stat "$SLUICE" -q -f {1..50}
[ "$(grep -cE '(AT_FDCWD, |stat\()"7"' calls)" -le 1 ] || fail "$(grep '"7"' calls)"
# Those who ask are told, also of sources that are gone by then: the last line comes behind everything.
works "$SLUICE" --rm --progress=json -f 1 2 3
absent 1 2 3
says '"totalBytes":30'
