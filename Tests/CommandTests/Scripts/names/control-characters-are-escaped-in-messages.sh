corpus text 10K >content
for name in $'new\nline' $'\e[31mred' $'bell\a' $'\u202eright' $'\u0085next' $'not \xff utf-8'; do
    cp content "$name"
    works "$SLUICE" "$name"
    [ "$(wc -l <"$messages")" = 1 ] || fail "more than one line about ${name@Q}"
    fails "$SLUICE" "$name"
    fails "$SLUICE" -d "$name"
    fails "$SLUICE" -t "$name"
    says 'not in a supported format'
    fails "$SLUICE" "missing $name"
    works "$SLUICE" -l "$name.zst" >list
    if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$messages" list; then fail "control characters for ${name@Q}"; fi
    [ "$(wc -l <list)" = 2 ]
    rm "$name" "$name.zst"
done
