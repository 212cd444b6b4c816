# Nothing gets a name that is not the file as it was made; recovery gives what is left.
corpus random 300K >a
"$SLUICE" -q -B32K --parity=2% a -o whole.zst
{ head -c 50000 whole.zst; head -c 100000 /dev/zero; tail -c +150001 whole.zst; } >damaged.zst
fails "$SLUICE" -q --repair damaged.zst
says "can't be repaired"
absent damaged.repaired.zst
fails "$SLUICE" -qt --parity damaged.zst
says "can't be repaired"
fails "$SLUICE" -q -d --recover damaged.zst -o content
says ' lost'
[ "$(size content)" = "$(size a)" ]
# A file without parity, and several with it.
"$SLUICE" -q a -o plain.zst
for operation in '--repair' '-t --parity'; do
    fails "$SLUICE" -q $operation plain.zst
    says 'plain.zst: has no parity'
done
# Of several streams each is repaired by its own parity, and others are as they are without it.
cat whole.zst whole.zst >both.zst
cp both.zst damaged.zst
for place in 70000 400000; do printf x | dd of=damaged.zst bs=1 seek=$place conv=notrunc 2>/dev/null; done
fails "$SLUICE" -qt damaged.zst
works "$SLUICE" -q --repair damaged.zst
same damaged.repaired.zst both.zst
cat a a >twice
works "$SLUICE" -q -d --recover damaged.zst -o content.both
same content.both twice
for order in 'whole plain' 'plain whole'; do
    for name in $order; do cat $name.zst; done >mixed.zst
    printf x | dd of=mixed.zst bs=1 seek=$(($(size mixed.zst) - 200000)) conv=notrunc 2>/dev/null
    fails "$SLUICE" -q --repair mixed.zst
    says 'have no parity'
    absent mixed.repaired.zst
    fails "$SLUICE" -qt --parity mixed.zst
done
cat whole.zst plain.zst >mixed.zst
printf x | dd of=mixed.zst bs=1 seek=70000 conv=notrunc 2>/dev/null
works "$SLUICE" -q -d --recover -f mixed.zst -o content.both
same content.both twice
# What other programs have added is not left out, also in its place.
gzip <whole.zst >log.gz
cat whole.zst log.gz >mixed.zst
fails "$SLUICE" -q --repair -f mixed.zst -o mixed.zst
says 'have no parity'
[ "$(size mixed.zst)" = $(($(size whole.zst) + $(size log.gz))) ]
{ head -c 308000 whole.zst; cat plain.zst; } >mixed.zst
fails "$SLUICE" -q --repair mixed.zst
says 'have no parity'
# A file within an archive is not taken for it.
"$SLUICE" -q whole.zst -o archive.zst
fails "$SLUICE" -q --repair archive.zst
says 'archive.zst: has no parity'
printf x | dd of=archive.zst bs=1 seek=70000 conv=notrunc 2>/dev/null
fails "$SLUICE" -q --repair archive.zst
absent archive.repaired.zst
fails "$SLUICE" -q -d --recover -f archive.zst -o content
# A frame that has rotted without a checksum decodes, and is not called whole.
"$SLUICE" -q -B32K --no-check --parity=2% a -o silent.zst
printf xxxx | dd of=silent.zst bs=1 seek=70000 conv=notrunc 2>/dev/null
works "$SLUICE" -qt silent.zst
fails "$SLUICE" -qt --parity silent.zst
works "$SLUICE" -q --repair silent.zst -o mended.zst
works "$SLUICE" -q -d mended.zst -o content.mended
same content.mended a
works "$SLUICE" -q -d --recover -f silent.zst -o content
same content a
# More of it than parity repairs.
for place in $(seq 60000 1000 100000); do printf xxxx | dd of=silent.zst bs=1 seek=$place conv=notrunc 2>/dev/null; done
works "$SLUICE" -qt silent.zst
fails "$SLUICE" -q -d --recover -f silent.zst -o content
says 'its parity shows that it has rotted'
printf xxxx | dd of=silent.zst bs=1 seek=0 conv=notrunc 2>/dev/null
fails "$SLUICE" -q -d --recover -f silent.zst -o content
says 'its parity shows that it has rotted'
# Nothing is added to what is protected, wherever its parity lies; a file within another one is only content.
"$SLUICE" -q -B32K --align=64K --parity a -o aligned.zst
for name in whole aligned; do
    works "$SLUICE" -l $name.zst >list
    grep -q Parity list
    cp $name.zst grown.zst
    fails "$SLUICE" -q --append a -o grown.zst
    says 'grown.zst: has parity'
    same grown.zst $name.zst
    fails "$SLUICE" -q --copy --parity $name.zst -o more.zst
    says "$name.zst: has parity already"
done
"$SLUICE" -q -B32K whole.zst -o outer.zst
works "$SLUICE" -q --append a -o outer.zst
