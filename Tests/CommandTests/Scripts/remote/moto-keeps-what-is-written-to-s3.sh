# The same commands against moto, a store that others have written.
PATH=$ROOT/.build/python/bin:$PATH
[ -x "$ROOT/.build/python/bin/moto_server" ] || skip "there is no moto_server (scripts/test installs it from PyPI)"
needs curl
head -c 13M /dev/urandom >plain
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=us-east-1
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export AWS_ENDPOINT_URL=http://127.0.0.1:$port
env -u BASH_ENV moto_server -H 127.0.0.1 -p "$port" >server 2>&1 9>&- &
server=$!
trap 'kill $server' EXIT
answers() { python3 -c 'import socket, sys; socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1)' "$port" 2>/dev/null; }
await answers
curl -sf --noproxy '*' -X PUT "$AWS_ENDPOINT_URL/bucket" >/dev/null

works "$SLUICE" -q -o s3://bucket/db.zst --from-command -- cat plain
works "$SLUICE" -q --upload-part=5M plain -o 's3://bucket/a folder/b+c.zst'
for key in db.zst 'a folder/b+c.zst'; do
    works "$SLUICE" -qdc "s3://bucket/$key" >got
    same got plain
done
works "$SLUICE" -qd s3://bucket/db.zst -o s3://bucket/plain --upload-part=5M
mkdir folder
head -c 1000 plain >folder/x
tar -c folder | works "$SLUICE" -q --members -o s3://bucket/folder.tar.zst
works "$SLUICE" -qdc --member=folder/x s3://bucket/folder.tar.zst >got
same got folder/x
works "$SLUICE" -q --verify=file -f plain -o s3://bucket/db.zst
fails "$SLUICE" -q plain -o s3://bucket/db.zst
says 'already exists'
fails "$SLUICE" -q --upload-part=5M -o s3://bucket/none.zst --from-command -- sh -c 'cat plain; exit 1'
fails "$SLUICE" -qdc s3://bucket/none.zst
says 'no such file'
uploads() { curl -sf --noproxy '*' "$AWS_ENDPOINT_URL/bucket?uploads"; }
uploads >list
grep -q '<UploadId>' list && fail "an upload is left: $(cat list)"
# An upload of a run that was killed goes on.
spawn killed.end "$SLUICE" -q --resume --limit-rate=6M --upload-part=5M plain -o s3://bucket/resumed.zst &
run=$(pid killed.end)
await grep -q 'PUT /bucket/resumed.zst.partNumber=1.* 200' server
kill -KILL "$run"
ended killed.end SIGKILL
uploads >list
grep -q '<UploadId>' list || fail "the upload was over before: $(cat list)"
works "$SLUICE" -v --resume --upload-part=5M plain -o s3://bucket/resumed.zst
says 's3://bucket/resumed.zst: an upload goes on, of which the store has '
[ "$(grep -c 'PUT /bucket/resumed.zst.partNumber=1&.* 200' server)" = 1 ] || fail "a part was sent again: $(cat server)"
works "$SLUICE" -qdc s3://bucket/resumed.zst >got
same got plain
uploads >list
grep -q '<UploadId>' list && fail "an upload is left: $(cat list)"
fails "$SLUICE" -q plain -o s3://nowhere/x.zst
says 'no such bucket'
