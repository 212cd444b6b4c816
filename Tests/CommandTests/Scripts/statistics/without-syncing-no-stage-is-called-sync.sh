# What is left then is that the file gets its name.
. "$SCRIPTS/statistics/tools.bash"
corpus text 3M >text
stages() { python -c 'import json, sys; print(*[stage["name"] for stage in json.load(sys.stdin)["stages"]])' <"$1"; }
works "$SLUICE" -q --no-sync --stats-file=plain.json text -o plain.zst
[ "$(stages plain.json)" = 'read slot compress order write name' ] || fail "$(stages plain.json)"
works "$SLUICE" -q --stats-file=synced.json text -o synced.zst
[ "$(stages synced.json)" = 'read slot compress order write sync' ] || fail "$(stages synced.json)"
