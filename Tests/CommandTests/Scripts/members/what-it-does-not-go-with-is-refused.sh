corpus text 300K >text
tar -cf a.tar text
fails "$SLUICE" --members text
says 'text: not a tar archive'
absent text.zst
: >empty
fails "$SLUICE" --members empty
fails "$SLUICE" --members -c text >out
same out /dev/null
for option in --single-frame --long --max --rsyncable --flush-interval=1 --part=1/2 --resume; do
    fails "$SLUICE" --members $option -o out.zst a.tar
done
works "$SLUICE" --members a.tar
for option in --offset=1 --tail=1 --range=0-1 --hash=xxh64 --rm --recover; do
    fails "$SLUICE" -d --member=text $option a.tar.zst
done
for words in '-d --members' '-d --members --member=text'; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words a.tar.zst
    says '--members only works with -z or -l'
    says 'sluice -d --member=PATH writes members'
done
fails "$SLUICE" --members --index=index a.tar
says '--index only works with -d or -l --members'
fails "$SLUICE" -d --as-tar a.tar.zst
fails "$SLUICE" --member=text a.tar
fails "$SLUICE" -l --index=index a.tar.zst
fails "$SLUICE" -d --member= a.tar.zst
fails "$SLUICE" -d --member=text a.tar.zst a.tar.zst
cat a.tar.zst | works "$SLUICE" -d --member=text >&9
works "$SLUICE" -d --member=text <a.tar.zst | cmp - text
# Under zstd's names too there is more than one frame.
ln -s "$SLUICE" zstd
works ./zstd -qf --members a.tar
"$SLUICE" -l --members a.tar.zst >listed
# What was added to it has no index, and is no archive's end.
works "$SLUICE" -q --append text -o a.tar.zst
works "$SLUICE" -l --members a.tar.zst | cmp - listed
works "$SLUICE" -q --align=64K -B16K -f --members a.tar
works "$SLUICE" -l --members a.tar.zst | cmp - listed
