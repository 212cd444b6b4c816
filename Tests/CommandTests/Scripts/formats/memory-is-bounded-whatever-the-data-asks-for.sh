source "$SCRIPTS/formats/make.bash"
# Much from little: the peak is what -v says at most.
head -c 200M /dev/zero | gzip -1 >bomb.gz
head -c 200M /dev/zero | lz4 -q -c >bomb.lz4
head -c 100M /dev/zero | xz -0 -c >bomb.xz
corpus random 300K >random
gzip -c random >member
for index in {1..60}; do cat member; done >members.gz
# A header in each 20 bytes.
gzip -c </dev/null >empty
perl -e 'local $/; my $e = <>; print $e x 30_000' empty >empties.gz
for name in bomb.gz bomb.lz4 bomb.xz members.gz empties.gz; do
    for threads in 1 4; do
        peak=$(perl "$SCRIPTS/peak.pl" "$SLUICE" -v -T$threads -t $name 2>"$messages" | tail -n 1)
        bound=$(allowed)
        [ -n "$bound" ] || fail "no bound: $(cat "$messages")"
        awk -v peak="$peak" -v bound="$bound" 'BEGIN { exit !(peak / 1024 <= bound && peak / 1024 < 64) }' ||
            fail "$name: $peak KiB, where $bound MiB are the bound"
    done
done
# A reader that is slow does not fill the memory.
peak=$(perl "$SCRIPTS/peak.pl" bash -c '"$SLUICE" -dc bomb.gz | (sleep 1; head -c 1000 >/dev/null)' | tail -n 1)
[ "$peak" -lt 60000 ] || fail "$peak KiB before a slow reader"
# What needs more than the limit is refused, with what to say.
for options in --format=xz --format=lzma; do
    dictionary=$([ $options = --format=xz ] && echo --lzma2=dict=1GiB || echo --lzma1=dict=1GiB)
    xz -c $options "$dictionary" member >huge
    fails "$SLUICE" -dc huge >out
    [ ! -s out ]
    says 'MiB of memory, the limit is 129 MiB'
    says 'hint: decompress with --memory=1'
    works "$SLUICE" -dc "$(sed -n 's/.*\(--memory=[0-9]*MiB\).*/\1/p' "$messages")" huge >out
    same out member
    works "$SLUICE" -dc --long=30 huge >out
    fails "$SLUICE" -t -M64M huge
done
# 64 MiB is what xz -9 takes.
xz -9 -c member | works "$SLUICE" -qt
# The window of a frame is looked at there too.
cat member "$FIXTURES/window-2GiB.zst" >mixed
fails "$SLUICE" -dc -M1024MB mixed >out
says 'needs a window of 2048 MiB'
same out random
