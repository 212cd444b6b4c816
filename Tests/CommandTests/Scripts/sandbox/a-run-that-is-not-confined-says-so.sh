needs strace
mkdir tree
for number in $(seq 101); do echo "$number" >"tree/$number"; done
# asks WORDS...: whether the run confines itself; its messages are in $messages.
asks() { works strace -f -qq -o trace -e trace=landlock_restrict_self "$SLUICE" "$@" && grep -q landlock_restrict_self trace; }
works "$SLUICE" -q tree/1 -o one.zst
asks -tv one.zst || skip "the kernel has no Landlock"
for words in '--no-sandbox -tv one.zst' '-kvf tree/*' '-rvk tree' '-rtvf tree'; do
    # shellcheck disable=SC2086 # words, and names by their pattern
    if asks $words; then fail "confined: $words"; fi
    says 'not confined by Landlock: '
done
rm -r tree/*.zst
works "$SLUICE" -q --no-sandbox tree/*
# What decodes is confined, however many files there are.
for words in '-qt tree/*.zst' '-qkdf tree/*.zst' '-qrt tree' '-q -f --recompress -k tree/*.zst' '-qr --recompress -k tree'; do
    rm -f tree/*.zst.zst
    # shellcheck disable=SC2086
    asks $words || fail "not confined: $words"
done
