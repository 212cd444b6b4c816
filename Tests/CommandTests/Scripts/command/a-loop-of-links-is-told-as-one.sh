# No option follows it.
ln -s loop loop
for words in '' -f -c '-f --rm' -l; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words loop
    says 'loop: can'\''t open: too many levels of symbolic links'
    if grep -q hint "$messages"; then fail "a hint that helps nobody: $(cat "$messages")"; fi
done
[ -L loop ]
absent loop.zst
