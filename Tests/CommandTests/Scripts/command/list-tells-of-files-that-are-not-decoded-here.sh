# A dictionary that is missing, and a window over the limit, keep a file from being decoded, and not from being listed.
corpus text 3M >a
zstd -q --train -B4K a -o words 2>&9 || fail 'no dictionary'
zstd -q -D words a -o needs-a-dictionary.zst
fails "$SLUICE" -t needs-a-dictionary.zst
says 'needs dictionary'
for name in needs-a-dictionary.zst "$FIXTURES/needs-dictionary.zst" "$FIXTURES/window-2GiB.zst"; do
    works "$SLUICE" -l "$name" >list
    [ "$(awk 'NR == 2 { print $1 }' list)" = 1 ] || fail "$(cat list)"
done
# Standard input is listed from where it stands, as it is decompressed.
"$SLUICE" -q a
cat "$FIXTURES/single-frame.zst" a.zst >two
{
    head -c "$(size "$FIXTURES/single-frame.zst")" >skipped
    works "$SLUICE" -lv - >list
} <two
works "$SLUICE" -lv a.zst >expected
same <(awk 'NR == 2 { print $1, $2, $3, $4 }' list) <(awk 'NR == 2 { print $1, $2, $3, $4 }' expected)
