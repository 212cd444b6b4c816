corpus random 5M >large
corpus random 1000 >small
works "$SLUICE" -vv --sync large -o large.zst
says 'way: in a pipeline (the input is larger than 4 MiB, or has no size yet); workers read what is cached; writes go '
works "$SLUICE" -vv --limit-rate=1G large -c
says 'Dispatch reads (the rate is limited); writes go through the page cache (the output is not synced)'
works "$SLUICE" -vv --no-sync small -o small.zst
says 'way: in a pipeline (-v describes it);'
works "$SLUICE" -vv -d large.zst -o other
says 'Dispatch reads (frames are found as they are read); writes go through the page cache (content is likely to be read'
works "$SLUICE" -v --force large -o large.zst
! grep -q '^way' "$messages" || fail "$(cat "$messages")"
