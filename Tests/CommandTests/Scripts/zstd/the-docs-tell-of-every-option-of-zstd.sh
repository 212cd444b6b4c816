# Options begin the lines of the long help, or follow a comma there; a part in brackets may be there or not.
zstd -H | grep -oE '^  -[^ ]*(, --?[^ ]+)?' | tr -d ',' | tr -s ' ' '\n' | sed -e 's/[=#].*//' -e 's/\[=.*//' -e 's/\[$//' | grep -E '^-.' | sort -u >options
[ "$(wc -l <options)" -gt 50 ] || fail "only few options: $(cat options)"
grep -E '^\| `' "$ROOT/docs/zstd-options.md" | cut -d '|' -f 2 >told
# shellcheck disable=SC2001 # a class of characters
while read -r option; do
    # -# is a level.
    [ "$option" != - ] || continue
    grep -qE -- "\`$(sed 's/[][]/\\&/g' <<<"$option")([],\`=# [{]|$)" told ||
        fail "docs/zstd-options.md does not tell of $option"
done <options
