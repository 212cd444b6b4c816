# What -o s3://… does not do is refused with a sentence, before anything is asked.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs python3
corpus text 1M >plain
cp plain other
mkdir folder
cp plain folder
works "$SLUICE" -q plain -o plain.zst
keep store
refused() {
    local sentence=$1
    shift
    fails "$SLUICE" -q "$@"
    says "$sentence"
}
refused '-o http://host/x: nothing is written there' plain -o http://host/x
refused '-o https://host/x: nothing is written there' plain -o https://user:hidden@host/x?hidden
refused 'names no object' plain -o s3://bucket
refused 'names no object' plain -o s3://bucket/
refused 'names no object' plain -o s3://bucket/folder/
refused '--append needs a file of this machine' --append plain -o s3://bucket/x.zst
refused '--join needs a file of this machine' --join plain.zst -o s3://bucket/x.zst
refused '--train needs a file of this machine' --train plain other -o s3://bucket/x
refused '--part needs a file of this machine' --part=1/2 plain -o s3://bucket/x.zst
refused '--resume takes a named file' --resume -o s3://bucket/x.zst <plain
refused "aligned output can't be continued" --resume --align=1M plain -o s3://bucket/x.zst
refused '--flush-interval needs a file of this machine' --flush-interval=5 -o s3://bucket/x.zst
refused '--recompress makes a file' --recompress plain.zst -o s3://bucket/x.zst
refused 'can'\''t be separated again' plain other -o s3://bucket/x.zst
refused 'can'\''t be separated again' -f plain other -o s3://bucket/x.zst
refused 'can'\''t be separated again' -r folder -o s3://bucket/x.zst
refused 'is the input and the output' --copy s3://bucket/x.zst -o s3://bucket/x.zst
refused '--object-version is for an object that is read' --object-version=1 plain -o s3://bucket/x.zst
refused '--upload-part is for an object of a store' --upload-part=5M plain -o got.zst
refused 'if-none-match is a line of ours' --http-header='If-None-Match: *' plain -o s3://bucket/x.zst
refused 'a size from 5M to 1G' --upload-part=1M plain -o s3://bucket/x.zst
[ ! -s store.log ] || fail "the store was asked: $(cat store.log)"
# The last -o counts: no store is asked, nor a key looked for.
AWS_PROFILE=none works "$SLUICE" -q plain -o s3://bucket/x.zst -o got.zst
[ ! -s store.log ] || fail "the store was asked: $(cat store.log)"
# An object has 10,000 parts: a copy whose size is known does not begin what can't end.
truncate -s 60G huge
refused 'at most 10000 parts' --copy --upload-part=5M huge -o s3://bucket/x
nothing uploads
# Without a key.
AWS_ACCESS_KEY_ID='' AWS_SECRET_ACCESS_KEY='' AWS_EC2_METADATA_DISABLED=true HOME=$PWD \
    refused 's3://bucket/x.zst: the server refuses access' plain -o s3://bucket/x.zst
nothing objects
