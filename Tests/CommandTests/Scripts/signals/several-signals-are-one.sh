corpus random 1M >a
mkfifo data
spawn status "$SLUICE" -q -o out <data &
exec 8>data
temporary >/dev/null
since=$(now)
for _ in {1..20}; do kill -INT "$(pid status)" 2>/dev/null || true; done
kill -TERM "$(pid status)" 2>/dev/null || true
ended status SIGINT 1.5 "$since"
no_leftovers
absent out
