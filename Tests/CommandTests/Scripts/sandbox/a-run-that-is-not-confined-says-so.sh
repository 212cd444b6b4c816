needs strace
mkdir tree
for number in $(seq 101); do echo "$number" >"tree/$number"; done
# asks WORDS...: whether the run confines itself; its messages are in $messages.
asks() { works strace -f -qq -o trace -e trace=landlock_restrict_self "$SLUICE" "$@" && grep -q landlock_restrict_self trace; }
works "$SLUICE" -q tree/1 -o one.zst
asks -tv one.zst || skip "the kernel has no Landlock"
for words in '--no-sandbox -tv one.zst' '-kvf tree/*' '-rvk tree' '-rtvf one.zst'; do
    rm -f tree/*.zst
    # shellcheck disable=SC2086 # words, and names by their pattern
    if asks $words; then fail "confined: $words"; fi
    says 'not confined by Landlock: '
done
rm -f tree/*.zst
works "$SLUICE" -q --no-sandbox tree/*
mkdir packed
mv tree/*.zst packed
# What decodes is confined, however many files there are.
for words in '-qt packed/*' '-qrt packed' '-qkd packed/* --output-dir-flat out' '-q --recompress packed/* --output-dir-flat out' \
    '-qr --recompress packed --output-dir-mirror out'; do
    rm -rf out
    mkdir out
    # shellcheck disable=SC2086
    asks $words || fail "not confined: $words"
done
