corpus text 300K >a
for words in --adapt= --adapt=bogus --adapt=free --adapt=min=9,max=1 --adapt=min=25 --adapt=min=1,max=2, '--adapt --single-thread' '--adapt --max' \
    --adapt=min=99999999999; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words a
    says 'sluice: --adapt'
    absent a.zst
done
# As zstd: a level above 19 is a bound that was asked for, and may be below 1.
for words in --adapt=max=22 --adapt=min=-5 --adapt=max=-3,min=-7 '--single-thread -T2 --adapt' '--adapt -T1'; do
    # shellcheck disable=SC2086
    works "$SLUICE" -q -f $words a
done
