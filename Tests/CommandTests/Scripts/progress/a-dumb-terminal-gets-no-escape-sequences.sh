needs script
corpus random 2M >data
for kind in dumb '' xterm; do
    NO_COLOR=1 TERM=$kind script -qec "'$SLUICE' -c -B256K --limit-rate=2M data >/dev/null" /dev/null >"shown$kind"
    grep -q '%' "shown$kind"
done
for kind in dumb ''; do
    if LC_ALL=C grep -q $'\e' "shown$kind"; then fail "escape sequences for TERM=$kind"; fi
    # The last line is overwritten, and the cursor is where it was.
    perl -0ne 'exit !/\r( +)\r$/' "shown$kind" || fail 'something is left'
done
# Elsewhere only those that erase, and that keep the line from being broken; no colours.
[ "$(grep -oa $'\e[^A-Za-z]*[A-Za-z]' shownxterm | sort -u | tr -d '\n')" = $'\e[?7h\e[?7l\e[K' ] || fail "$(cat -v shownxterm)"
