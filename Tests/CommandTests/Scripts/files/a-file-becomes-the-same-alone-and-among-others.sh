# With the level, the threads and long matches that are asked for: a batch of small files does it as one file alone.
corpus text 3M >a
corpus text 3500K >b
for words in -1 -3 '-3 --long' '-19 --long=20' '-3 --single-frame' '-9 --single-frame -T1'; do
    # shellcheck disable=SC2086
    works "$SLUICE" -q -f $words a b
    mv a.zst together
    # shellcheck disable=SC2086
    works "$SLUICE" -q -f $words a
    same a.zst together
done
