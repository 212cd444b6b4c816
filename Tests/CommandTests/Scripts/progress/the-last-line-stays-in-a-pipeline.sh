. "$SCRIPTS/progress/terminal.bash"
corpus random 3M >data
"$SLUICE" -q -B256K data
run() { terminal $1 140 6 "$2"; }
run copy "cat data | '$SLUICE' --copy --limit-rate=4M | cat >/dev/null"
run in "cat data | '$SLUICE' -B256K --limit-rate=4M >out"
run out "'$SLUICE' -dc --progress --limit-rate=4M data.zst | cat >/dev/null"
# Elsewhere nothing stays, or the summary does: one line that is final, and not two.
run file "'$SLUICE' -c -B256K --limit-rate=4M data >/dev/null"
run summary "cat data | '$SLUICE' -B256K --limit-rate=4M -o summary.zst"
run verbose "'$SLUICE' -dcv --limit-rate=4M data.zst | cat >/dev/null"
# What takes no time has no bar, and leaves none.
run quick "head -c 1000 data | '$SLUICE' --copy | cat >/dev/null"
for name in copy in out file summary verbose quick; do await shows $name END; done
last='[0-9.]+ [MK]iB/s +0:00$'
[ "$(lines copy)" = 2 ] && shows copy "^3.00 MiB +$last" || fail "$(screen copy)"
[ "$(lines in)" = 2 ] && shows in "^3.00 MiB > 3.00 MiB 1.00x +$last" || fail "$(screen in)"
[ "$(lines out)" = 2 ] && shows out "^data.zst \[=+\] 100% 3.00 MiB > 3.00 MiB 1.00x +$last" || fail "$(screen out)"
[ "$(lines summary)" = 2 ] && shows summary '^summary.zst: 3.00 MiB > 3.00 MiB' || fail "$(screen summary)"
[ "$(lines verbose)" = 5 ] && shows_not verbose '%' || fail "$(screen verbose)"
for name in file quick; do [ "$(screen $name | tr -d '\n ')" = END ] || fail "$(screen $name)"; done
