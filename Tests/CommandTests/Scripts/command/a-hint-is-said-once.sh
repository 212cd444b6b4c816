for name in a b c; do
    echo $name >$name
    echo old >$name.zst
done
# What goes on its own, and what is done with others.
for words in '' -v; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words a b c missing </dev/null
    for name in a b c; do says "$name.zst: already exists: not replaced"; done
    [ "$(grep -c '^sluice: hint: -f replaces it$' "$messages")" = 1 ] || fail "not one hint: $(cat "$messages")"
    # Behind the first that it helps with.
    [ "$(grep -A1 '^sluice: a.zst' "$messages" | tail -n 1)" = 'sluice: hint: -f replaces it' ]
done
# Another hint is another.
mkdir folder
fails "$SLUICE" a folder b </dev/null
says 'hint: -f replaces it'
says 'hint: -r processes the files in it, or tar -I sluice'
