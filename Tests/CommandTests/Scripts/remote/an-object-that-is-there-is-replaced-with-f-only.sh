# Without -f no object is replaced: it is asked for first, and the store is told.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs python3
head -c 6M /dev/urandom >plain
head -c 6M /dev/urandom >other
keep store
works "$SLUICE" -q plain -o s3://bucket/x.zst
: >store.log
fails "$SLUICE" -q other -o s3://bucket/x.zst
says 's3://bucket/x.zst: already exists: not replaced'
says 'hint: -f replaces it'
[ "$(cut -f 1 store.log | sort -u)" = HEAD ] || fail "$(cat store.log)"
works "$SLUICE" -qf other -o s3://bucket/x.zst
works "$SLUICE" -qdc s3://bucket/x.zst >got
same got other
# A key that may not ask: the store refuses.
keep blind no-question
works "$SLUICE" -q plain -o s3://bucket/x.zst
for part in 5M 20M; do
    fails "$SLUICE" -q --upload-part=$part plain -o s3://bucket/x.zst
    says 's3://bucket/x.zst: was created meanwhile: not replaced'
done
nothing uploads
# A store that does not know the condition is asked once more; with a key that may not ask nothing is written.
keep old no-condition
works "$SLUICE" -q plain -o s3://bucket/x.zst
fails "$SLUICE" -q plain -o s3://bucket/x.zst
says 'already exists: not replaced'
keep oldest no-condition no-question
fails "$SLUICE" -q plain -o s3://bucket/x.zst
says 'If-None-Match'
nothing objects
works "$SLUICE" -qf plain -o s3://bucket/x.zst
# Two at once: one wins.
keep race fail=head:1:100:slow
"$SLUICE" -q plain -o s3://bucket/x.zst 2>first & one=$!
"$SLUICE" -q other -o s3://bucket/x.zst 2>second & two=$!
codes=0
wait $one || codes=$((codes + 1))
wait $two || codes=$((codes + 1))
[ $codes = 1 ] || fail "$codes failed: $(cat first second)"
works "$SLUICE" -qdc s3://bucket/x.zst >got
cmp -s got plain || same got other
# Somebody who makes an object of the same file first has won.
keep rival fail=complete:1:1:rival fail=put:1:1:rival
for part in 5M 20M; do
    fails "$SLUICE" -q --upload-part=$part plain -o s3://bucket/$part.zst
    says "s3://bucket/$part.zst: was created meanwhile: not replaced"
done
nothing uploads
# A store that wants parts of one size: 1000 parts go before they grow, so this is of its own making.
keep even even
works "$SLUICE" -q --upload-part=5M plain -o s3://bucket/x.zst
