. "$SCRIPTS/statistics/tools.bash"
corpus text 10K >a
# Every option that takes a value, and some more words; what a value may be is another question.
"$SLUICE" --help | sed 's/\[no-\]//' | grep -oE -- '^ +(-., )?--[a-zA-Z-]+\[?=' | grep -oE -- '--[a-zA-Z-]+' | cut -c3- >options
[ "$(wc -l <options)" -gt 30 ]
for option in level progress interval on-full recover read stats buffer-start long; do grep -qx -- "$option" options || fail "$option"; done
check_messages() {
    if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$messages"; then fail "control characters for $1: $(cat "$messages")"; fi
    # What the value breaks into lines would have no name of the program.
    if grep -v '^sluice: ' "$messages" >&9; then fail "a line of its own for $1"; fi
}
while read -r option; do
    # To be measured, a value need not be wrong.
    exits 1 "$SLUICE" -q --"$option="$'\e[31m\nred' ./missing
    check_messages "$option"
done <options
exits 1 "$SLUICE" --fast=$'\e[31m' a
check_messages --fast
exits 1 "$SLUICE" --generate=$'\e[31m'
check_messages --generate
ZSTD_CLEVEL=$'\e[31m' exits 0 "$SLUICE" -q a
check_messages ZSTD_CLEVEL
fails "$SLUICE" --progress=often a
says '--progress takes auto, bar, plain, json or none, not often'
