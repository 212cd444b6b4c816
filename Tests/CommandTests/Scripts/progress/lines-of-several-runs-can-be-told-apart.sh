# As in one mail of cron.
corpus text 2M >a
for number in 1 2; do
    cat a | works "$SLUICE" -o db$number.zst
    grep -qE "^db$number.zst: 2.00 MiB > [0-9.]+ KiB " "$messages" || fail "$(cat "$messages")"
    works "$SLUICE" -o tar$number.zst --from-command -- cat a
    grep -qE "^tar$number.zst: 2.00 MiB > [0-9.]+ KiB " "$messages" || fail "$(cat "$messages")"
done
# Without a file, where it comes from.
works "$SLUICE" -v --from-command -- cat a >out.zst
says 'cat: 2.00 MiB > '
# A range and a member are not the content of what was read for them.
tar cf t.tar a
works "$SLUICE" -q --members t.tar
works "$SLUICE" -d --range=0-99 db1.zst -o range
grep -qE '^db1.zst: [0-9.]+ KiB > 100 B in ' "$messages" || fail "$(cat "$messages")"
works "$SLUICE" -d --member=a t.tar.zst -o member
grep -qE '^t.tar.zst: [0-9.]+ KiB > 2.00 MiB in ' "$messages" || fail "$(cat "$messages")"
same a member
# The line that SIGUSR1 asks for fits a terminal.
corpus random 20M >a-file-with-a-name-that-is-longer-than-the-others
spawn run "$SLUICE" -q -B256K --limit-rate=10M -c a-file* 2>said >/dev/null &
sleep 0.8
kill -USR1 "$(pid run)"
ended run 0
grep -q '%' said || fail "$(cat said)"
if grep -E '.{81}' said; then fail 'over 80 columns'; fi
