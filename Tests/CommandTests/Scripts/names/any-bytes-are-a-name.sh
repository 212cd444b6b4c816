corpus text 10K >content
for name in $'new\nline' $'\e[31mred' $'tab\tand\rreturn' $'not \xff\xfe utf-8' $'half \xc3' 'two  spaces' "quote'\"" '*' $'\u202eright to left' 'ünï' $'u\u0308' $'\xc3\xbc'; do
    cp content "$name"
    works "$SLUICE" -q -- "$name"
    [ -e "$name.zst" ] || fail "no output for ${name@Q}"
    rm "$name"
    works "$SLUICE" -q -d -- "$name.zst"
    same "$name" content
    works "$SLUICE" -q -o "$name.other" -- "$name"
    zstd -dc -- "$name.other" | cmp - content
    works "$SLUICE" -q --part=1/1 -- "$name"
    works "$SLUICE" -q -d --part=1/1 -- "$name.1-of-1.zst"
    same "$name.1-of-1.1-of-1" content
    rm -- "$name" "$name.zst" "$name.other" "$name.1-of-1.zst" "$name.1-of-1.1-of-1"
done
no_leftovers
