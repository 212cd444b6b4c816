# OSC 9;4, with the bar, and gone with it: at the end, after an error, at a signal.
needs script
corpus random 12M >a
bar() { # ENVIRONMENT WORDS: what a terminal gets
    script -qec "env -u TMUX -u STY $1 bash -c '$2'" /dev/null </dev/null >said || true
}
starts='"$SLUICE" --limit-rate=10M -f a -o out.zst'
for words in "$starts" '"$SLUICE" --limit-rate=10M -f a -o nowhere/out.zst || true; '"$starts" \
    "$starts & sleep 0.7; kill -INT \$!; wait \$! || true" 'cat a | "$SLUICE" --limit-rate=10M -f -o out.zst'; do
    bar WT_SESSION=1 "$words"
    grep -aqE $'\x1b\\]9;4;(1;[0-9]+|3;)\x1b' said || fail "no progress: $words"
    # The last one removes it.
    [ "$(grep -aoE $'\x1b\\]9;4;[0-9];' said | tail -n 1)" = $'\x1b]9;4;0;' ] || fail "it stays: $words"
done
bar WT_SESSION=1 "$starts --no-progress"
if grep -aq '9;4;' said; then fail 'with --no-progress'; fi
bar TERM_PROGRAM=other "$starts"
if grep -aq '9;4;' said; then fail 'to another terminal'; fi
WT_SESSION=1 "$SLUICE" --progress=bar --limit-rate=10M -f a -o out.zst 2>said
if grep -aq '9;4;' said; then fail 'to a file'; fi
