corpus text 10K >a
# What is like no option suggests none.
for word in --foo --xyz --B --no-keep -y; do
    fails "$SLUICE" $word a
    says "unknown option $word"
    if grep -q 'did you mean\|Did you mean' "$messages"; then fail "$word: $(cat "$messages")"; fi
done
fails "$SLUICE" --quite a
says 'hint: did you mean --quiet?'
fails "$SLUICE" $'--\e[31m' a
says 'unknown option --\u{1B}[31m'
fails "$SLUICE" -T-1 a
says 'sluice: -T takes a number of threads, such as -T4, not -1'
# A rate of ten bytes a second, and a file M.
for words in '--limit-rate 10 M' '--limit-rate=10 M' '--limit-rate 10 MB/s' '--buffer 1 GiB' '-B10 K' '-M10 M' '--stream-size 3 K'; do
    # shellcheck disable=SC2086
    fails timeout 5 "$SLUICE" $words a
    says 'a number and its unit must be one word, '
    says 'for a file named '
done
absent a.zst
cp a M
works timeout 5 "$SLUICE" --buffer 10 ./M
[ -s M.zst ]
