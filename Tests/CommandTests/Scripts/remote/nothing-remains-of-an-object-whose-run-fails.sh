# An object is there only after all of it: whatever fails, there is none, and no upload remains.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs python3
head -c 12M /dev/urandom >plain
keep store

# The command fails after the last byte.
fails "$SLUICE" -q --upload-part=5M -o s3://bucket/x.zst --from-command -- sh -c 'cat plain; exit 3'
says 'sh exited with status 3; s3://bucket/x.zst was not written'
nothing objects
nothing uploads
# Damaged input, after parts were sent.
works "$SLUICE" -q plain -o plain.zst
head -c 11000000 plain.zst >cut.zst
fails "$SLUICE" -qd --upload-part=5M cut.zst -o s3://bucket/x
nothing objects
nothing uploads
grep -q DELETE store.log || fail "no upload was aborted: $(cat store.log)"

# A part that is refused; one that is refused three times is sent again.
keep refusing fail=part:2:1000:500.InternalError
fails timeout 60 "$SLUICE" -q --upload-part=5M plain -o s3://bucket/x.zst
says 's3://bucket/x.zst: the server answered with status 500, InternalError'
nothing objects
nothing uploads
keep passing fail=part:2:3:500.InternalError
works "$SLUICE" -v --upload-part=5M plain -o s3://bucket/x.zst
says 'trying again'
nothing uploads
# Connections that end in the middle of a part, or before the answer to the request that makes the object.
for what in part:1:2:drop part:3:1:lost complete:1:1:lost complete:1:2:inside complete:1:1:drop create:1:1:503.SlowDown \
    head:1:1:drop put:1:1:lost part:2:1:400.RequestTimeout part:2:1:400.BadDigest put:1:1:400.BadDigest \
    complete:1:1:400.RequestTimeout put:1:2:409.ConditionalRequestConflict complete:1:2:409.ConditionalRequestConflict; do
    keep breaking "fail=$what"
    works "$SLUICE" -q --upload-part=5M plain -o s3://bucket/x.zst
    works "$SLUICE" -q --upload-part=20M plain -o s3://bucket/y.zst
    for key in x y; do
        works "$SLUICE" -qdc "s3://bucket/$key.zst" >got
        same got plain
    done
    nothing uploads
done
# The answer is lost, and the key may not ask what came of it; one that may not ask is no trouble otherwise, however busy
# the store is.
for part in 5M 20M; do
    for what in put complete; do
        keep silent no-question fail=$what:1:1:lost
        [ $part$what = 5Mput ] || [ $part$what = 20Mcomplete ] || {
            fails "$SLUICE" -q --upload-part=$part plain -o s3://bucket/x.zst
            says 's3://bucket/x.zst: the store does not tell whether the object was made'
        }
    done
done
keep busy no-question fail=part:2:1:503.SlowDown
works "$SLUICE" -q --upload-part=5M plain -o s3://bucket/x.zst
# A success with an error in it, each time.
keep inside fail=complete:1:100:inside
fails timeout 60 "$SLUICE" -q --upload-part=5M plain -o s3://bucket/x.zst
says 'InternalError'
nothing objects
nothing uploads
# A store that takes one request at a time.
keep narrow at-once=1
works "$SLUICE" -v --upload-part=5M plain -o s3://bucket/x.zst
nothing uploads
# The region of the bucket; stores without checksums; a key that may not ask.
for fault in region=eu-west-9 no-checksums no-question ignores-condition; do
    keep other "$fault"
    works "$SLUICE" -q --upload-part=5M plain -o s3://bucket/x.zst
    works "$SLUICE" -qdc s3://bucket/x.zst >got
    same got plain
done
# What a store says of another line is told as it says it.
keep refusing no-question fail=put:1:1:400.InvalidArgument
fails "$SLUICE" -q plain -o s3://bucket/x.zst
says 's3://bucket/x.zst: the server answered with status 400, InvalidArgument'
nothing objects
# A key that expires while parts are sent.
keep expiring expires=4
fails "$SLUICE" -q --upload-part=5M plain -o s3://bucket/x.zst
says 'ExpiredToken'
# The store takes no word of the run any more.
says 's3://bucket/x.zst: an upload that is not complete may remain there: aws s3api abort-multipart-upload --bucket bucket --key '
nothing objects
