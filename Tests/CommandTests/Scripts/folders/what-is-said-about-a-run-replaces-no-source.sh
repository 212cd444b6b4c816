# A file in a folder all of whose files are done is one of them, whatever writes there, with -f too.
mkdir t
for words in '--stats-file' '--trace' '--report'; do
    for verb in '' '-t' '-c' '-o out'; do
        echo precious >t/x
        echo precious | zstd -q >t/x.zst
        cp t/x.zst kept
        for name in t/x t/x.zst ./t/../t/x "$PWD/t/x"; do
            # shellcheck disable=SC2086
            fails "$SLUICE" -q -r -f $verb "$words=$name" t >/dev/null
            # What is left out is none, and no file of statistics either.
            grep -qE 'is the input and the output|is not what .* writes: not replaced' "$messages" || fail "$(cat "$messages")"
            [ "$(cat t/x)" = precious ]
            same kept t/x.zst
        done
    done
done
rm t/x.zst
fails "$SLUICE" -q --train -r -f -o t/x t
says 't/x: is the input and the output'
[ "$(cat t/x)" = precious ]
# A new name there is nobody's.
works "$SLUICE" -q -r --stats-file=t/run.json t
[ -s t/run.json ]
zstd -dc t/x.zst | grep -qx precious
