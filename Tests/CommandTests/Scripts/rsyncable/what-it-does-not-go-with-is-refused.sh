corpus text 300K >a
fails "$SLUICE" --rsyncable --single-thread a
says '--single-thread'
fails "$SLUICE" -T2 --single-thread --rsyncable a
fails "$SLUICE" --rsyncable --flush-interval=1 a
says '--flush-interval'
absent a.zst
works "$SLUICE" -q --rsyncable -T1 -o one.zst a
works "$SLUICE" -q --single-thread -T1 --rsyncable -o two.zst a
same one.zst two.zst
# It is about compression only.
works "$SLUICE" -q -d --rsyncable --single-thread -c one.zst
works "$SLUICE" -q -t --rsyncable --single-thread one.zst
corpus binary 200K >b
# In one frame too, with one worker of libzstd's or more.
for words in --single-frame --long --patch-from=b; do
    # shellcheck disable=SC2086
    works "$SLUICE" -q -f $words --rsyncable -T1 -c a >frame.zst
    works "$SLUICE" -q -d ${words/--single-frame/} -c frame.zst >back
    same back a
done
# Many small files: those that are more than one frame are, also in a batch.
"$SLUICE" -q --rsyncable -B64K -c b >one.zst
works "$SLUICE" -q --rsyncable -B64K a b
same b.zst one.zst
