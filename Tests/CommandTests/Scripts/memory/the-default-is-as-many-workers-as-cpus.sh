corpus text 24M >a
# As -v says.
threads() { "$@" -v -c a 2>&1 >/dev/null | grep -oE '[0-9]+ workers?'; }
[ "$(threads taskset -c 0 "$SLUICE" -B1M)" = '1 worker' ]
[ "$(threads "$SLUICE" -T3)" = '3 workers' ]
[ "$(threads "$SLUICE")" = "$(threads "$SLUICE" -T0)" ]
[ "$(threads "$SLUICE")" = "$(threads "$SLUICE" "-T$(nproc)")" ]
taskset -c 0 "$SLUICE" -c a | cmp - <("$SLUICE" -c a)
