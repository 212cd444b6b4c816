# Whatever is wrong with it, and whichever command reads it: - is not a name that anybody typed.
mkdir folder
echo junk >junk
corpus text 10K | zstd -qc >whole.zst
head -c 1000 whole.zst >damaged.zst
for input in folder junk /dev/null damaged.zst; do
    for words in '' -c -d -dc -t -l -lv '-t -' '-c --filelist=-' '-b1 -i0 -' '--train -' --copy '--append -o new.zst' \
        '-d --recover -c' '-l --members' '-d -c --member=x' '-d -c --offset=5' '-l --json'; do
        # shellcheck disable=SC2086
        timeout 20 "$SLUICE" $words <$input >/dev/null 2>"$messages" || true
        if grep -qE '(^|[ (])-( is not|:)' "$messages"; then fail "$words <$input: $(cat "$messages")"; fi
    done
done
for words in -c -d -t -l '-c --filelist=-' --copy; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words <folder
    says 'sluice: standard input: can'
done
works "$SLUICE" -l - <whole.zst >list
grep -q ' standard input$' list
