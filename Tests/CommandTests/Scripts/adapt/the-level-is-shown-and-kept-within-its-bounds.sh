. "$SCRIPTS/adapt/tools.bash"
needs_schema
head -c 8M text >a
for words in '' --single-frame --rsyncable '-D dictionary' '--single-frame -D dictionary'; do
    head -c 5000 a >dictionary
    # shellcheck disable=SC2086
    works "$SLUICE" -f -9 $words --adapt=min=2,max=6 a --stats-file=json -T2
    check json "run['adaptMin'] == 2 and run['adaptMax'] == 6 and run['level'] == 6" \
        '2 <= levels["lowest"] <= levels["mean"] <= levels["highest"] <= 6'
    # shellcheck disable=SC2086
    zstd -q -d -c ${words/#--*/} -D dictionary a.zst | cmp - a
done
works "$SLUICE" -f --adapt=max=4 a --stats
grep -qE '^levels [1-3] to [1-4], [1-4]\.[0-9] on average$' "$messages" || fail "$(cat "$messages")"
works "$SLUICE" -f -4 a --stats-file=json
check json '"levels" not in globals() and "adaptMin" not in run'
"$SLUICE" -f --adapt=min=3,max=3 --progress=plain --interval=0.05 a 2>lines
! grep -q 'in work' lines || true
grep -q 'level 3 ' lines || [ "$(wc -l <lines)" -le 1 ] || fail "$(cat lines)"
# One level is that level.
"$SLUICE" -q --adapt=min=5,max=5 -c a | cmp - <("$SLUICE" -q -5 -B2M -c a)
