corpus text 3M >old
{ head -c 1M old; echo inserted; tail -c +1100K old; corpus random 10K; } >new
for level in -1 -3 -19 '-3 --long=20 -T2' '-3 -B1M'; do
    # shellcheck disable=SC2086
    works "$SLUICE" -q -f $level --patch-from=old new -o ours.zst
    # shellcheck disable=SC2086
    zstd -q -f ${level/-B1M/} --patch-from=old new -o theirs.zst
    # The difference, and no more than zstd has.
    [ "$(size ours.zst)" -lt 12000 ]
    [ "$(size ours.zst)" -le "$(($(size theirs.zst) + 20))" ]
    [ "$("$SLUICE" -l ours.zst | awk 'NR == 2 { print $1 }')" = 1 ]
    zstd -dcq --patch-from=old ours.zst | cmp - new
    works "$SLUICE" -dc -q --patch-from=old ours.zst >out
    same out new
    works "$SLUICE" -dc -q --patch-apply old theirs.zst >out
    same out new
    works "$SLUICE" -q -t --patch-from=old theirs.zst
done
# Standard input, whose size nobody has to say.
# shellcheck disable=SC2002
cat new | works "$SLUICE" -q --patch-from=old >piped.zst
zstd -dcq --patch-from=old piped.zst | cmp - new
# Without the file, or with another one, it is nothing.
fails "$SLUICE" -t ours.zst
head -c 1M new >another
fails "$SLUICE" -t --patch-from=another ours.zst
says 'or it was made with another dictionary'
fails "$SLUICE" --patch-from=old old new
says 'sluice: --patch-from takes one file, not 2'
fails "$SLUICE" --patch-apply=old new
says 'sluice: --patch-apply only works with -d or -t'
fails "$SLUICE" --patch-from=nowhere new
says "sluice: nowhere: can't open"
absent new.zst
# 2 GiB and no more: what is possible is said, before anything is read.
truncate -s 2049M sparse
fails timeout 10 "$SLUICE" --patch-from=sparse new
says 'sluice: sparse: a patch is limited to 2048 MiB of data, but this is 2049 MiB'
says 'sluice: hint: split both'
fails timeout 10 "$SLUICE" --patch-from=old sparse
says 'sluice: sparse: a patch is limited to 2048 MiB of data'
absent new.zst sparse.zst
no_leftovers
