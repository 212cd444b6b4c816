# An object by https: the content is not hashed twice, and a store that nothing trusts gets none of it.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs openssl python3
unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test \
    -addext subjectAltName=IP:127.0.0.1 -keyout key -out certificate 2>/dev/null
head -c 12M /dev/urandom >plain
keep secure "tls=certificate:key"
export AWS_ENDPOINT_URL=${url/http:/https:}
for part in 5M 20M; do
    works env SSL_CERT_FILE="$PWD/certificate" "$SLUICE" -q -f --upload-part=$part plain -o s3://bucket/x.zst
    works env SSL_CERT_FILE="$PWD/certificate" "$SLUICE" -qdc s3://bucket/x.zst >got
    same got plain
done
: >secure.log
fails timeout 60 "$SLUICE" -q plain -o s3://bucket/y.zst
says 's3://bucket/y.zst: '
[ ! -s secure.log ] || fail "something was sent: $(cat secure.log)"
# With -f nothing is asked before the first bytes.
fails timeout 60 "$SLUICE" -qf --upload-part=5M -o s3://bucket/y.zst --from-command -- cat plain
[ ! -s secure.log ] || fail "something was sent: $(cat secure.log)"
