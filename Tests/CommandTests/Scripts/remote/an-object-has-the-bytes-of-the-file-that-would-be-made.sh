# -o s3://BUCKET/KEY sends what -o FILE would write: with one request, or in parts; and signs each request.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs python3
head -c 13M /dev/urandom >plain
head -c 100 plain >small
: >empty
keep store

works "$SLUICE" -q plain -o plain.zst
works "$SLUICE" -q plain -o s3://bucket/plain.zst
works "$SLUICE" -qd s3://bucket/plain.zst -o got
same got plain
# In parts of 5 MiB, on several connections.
: >store.log
works "$SLUICE" -q --upload-part=5M plain -o 's3://bucket/a folder/b+c=ä.zst'
[ "$(grep -c 'partNumber=' store.log)" = 3 ] || fail "$(cat store.log)"
works "$SLUICE" -qdc 's3://bucket/a folder/b+c=ä.zst' >got
same got plain
works "$SLUICE" -q --copy 's3://bucket/a folder/b+c=ä.zst' -o got.zst
same got.zst plain.zst
for file in small empty; do
    works "$SLUICE" -q "$file" -o "s3://bucket/$file.zst"
    works "$SLUICE" -qdc "s3://bucket/$file.zst" >got
    same got "$file"
done
# Standard input, a command, what is decompressed, and a copy.
works "$SLUICE" -q -o s3://bucket/piped.zst <plain
works "$SLUICE" -q -o s3://bucket/made.zst --from-command -- cat plain
works "$SLUICE" -qd plain.zst -o s3://bucket/plain
works "$SLUICE" -q --copy plain -o s3://bucket/copy --upload-part=6M
for key in piped.zst made.zst; do
    works "$SLUICE" -qdc "s3://bucket/$key" >got
    same got plain
done
for key in plain copy; do
    works "$SLUICE" -q --copy -c "s3://bucket/$key" >got
    same got plain
done
# From one object to another, without a file.
works "$SLUICE" -qd s3://bucket/piped.zst -o s3://bucket/other
works "$SLUICE" -q --copy -c s3://bucket/other >got
same got plain
# With parity, too, which is added to a copy as well; and what has rotted is repaired.
works "$SLUICE" -q --parity plain -o parity.zst
works "$SLUICE" -q --parity plain -o s3://bucket/parity.zst
works "$SLUICE" -q --parity -o s3://bucket/made.parity.zst --from-command -- cat plain
works "$SLUICE" -q --copy --parity --upload-part=5M plain.zst -o s3://bucket/copy.parity.zst
printf x | dd of=parity.zst bs=1 seek=9000000 conv=notrunc 2>/dev/null
works "$SLUICE" -q --repair parity.zst -o s3://bucket/repaired.zst
works "$SLUICE" -q --repair -f parity.zst -o parity.zst
for key in parity made.parity copy.parity repaired; do
    works "$SLUICE" -q --copy -c "s3://bucket/$key.zst" >got
    same got parity.zst
done
nothing uploads

# The members of an archive are found in it.
mkdir folder
cp small folder/x
tar -c folder | works "$SLUICE" -q --members -o s3://bucket/folder.tar.zst
works "$SLUICE" -qdc --member=folder/x s3://bucket/folder.tar.zst >got
same got small

# What is compressed is said to be; what is not has no type of ours.
meta() { stored objects | awk -F '\t' -v key="/bucket/$1" '$1 == key { print $3 }'; }
[[ $(meta plain.zst) == *"'content-type': 'application/zstd'"* ]] || fail "$(meta plain.zst)"
[[ $(meta 'a folder/b+c=ä.zst') == *"'content-type': 'application/zstd'"* ]] || fail "$(meta 'a folder/b+c=ä.zst')"
[[ $(meta plain) != *content-type* && $(meta copy) != *content-type* ]] || fail "$(meta plain) $(meta copy)"
# Lines about the object go with the first request, whatever that is.
for part in 5M 20M; do
    works "$SLUICE" -qf --http-header='x-amz-storage-class: GLACIER' --http-header='Content-Type: text/x' \
        --http-header='x-amz-request-payer: requester' --upload-part=$part plain -o s3://bucket/plain.zst
    [[ $(meta plain.zst) == *GLACIER* && $(meta plain.zst) == *text/x* ]] || fail "$(meta plain.zst)"
done
nothing uploads
# A temporary key comes with a token.
works env AWS_ACCESS_KEY_ID=AKID2 AWS_SECRET_ACCESS_KEY=hidden-2 AWS_SESSION_TOKEN=t "$SLUICE" -q small -o s3://bucket/token.zst
fails env AWS_SECRET_ACCESS_KEY=wrong "$SLUICE" -q small -o s3://bucket/wrong.zst
says 's3://bucket/wrong.zst: the server refuses access (status 403, SignatureDoesNotMatch)'
