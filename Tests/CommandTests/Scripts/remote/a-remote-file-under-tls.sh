# A file by https, from a server whose certificate SSL_CERT_FILE trusts; one that nothing trusts is refused in a sentence.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs openssl
unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR
mkdir web plain-web
corpus random 3M >plain
works "$SLUICE" -q -B128K plain -o web/a.zst
cp web/a.zst plain-web/
certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days "$2" -subj /CN=test \
        -addext "subjectAltName=$3" -keyout "$1.key" -out "$1.pem" 2>/dev/null
}
certificate one 2 IP:127.0.0.1,DNS:localhost
certificate other 2 IP:127.0.0.1
certificate elsewhere 2 DNS:example.org
serve plain-web --log-header X-Token
simple=$port
serve web --tls "$PWD/one.pem" "$PWD/one.key" --log-header X-Token
secure=https://127.0.0.1:$port
for words in -dc '-dc --no-sandbox'; do
    # shellcheck disable=SC2086  # several words
    works env SSL_CERT_FILE="$PWD/one.pem" "$SLUICE" -q $words "$secure/a.zst" "$secure/a.zst" >got
    cat plain plain | cmp - got
done
works env CURL_CA_BUNDLE=one.pem "$SLUICE" -dcq "https://localhost:$port/a.zst" >got
same got plain
works env SSL_CERT_FILE="$PWD/one.pem" "$SLUICE" -lq "$secure/a.zst"
# A connection that breaks is no end.
works env SSL_CERT_FILE="$PWD/one.pem" "$SLUICE" -dcq "$secure/~from=2&times=2&short=1000000/a.zst" >got
same got plain
fails env SSL_CERT_FILE="$PWD/one.pem" "$SLUICE" -dcq "$secure/~no-ranges&drop=Content-Length&short=1000000/a.zst"
# Not trusted: one sentence, and no other try.
for trusted in other.pem one.key missing.pem; do
    fails env SSL_CERT_FILE="$PWD/$trusted" "$SLUICE" -dqv "$secure/a.zst"
    says "$secure/a.zst: "
    if grep -q 'trying again' "$messages"; then fail "$(cat "$messages")"; fi
    absent a
done
fails env -u SSL_CERT_FILE "$SLUICE" -dq "$secure/a.zst"
says "certificate"
[ "$(wc -l <"$messages")" = 1 ] || fail "$(cat "$messages")"
# One for another host.
serve web --tls "$PWD/elsewhere.pem" "$PWD/elsewhere.key" --log-header X-Token
fails env SSL_CERT_FILE="$PWD/elsewhere.pem" "$SLUICE" -dq "https://127.0.0.1:$port/a.zst"
says "https://127.0.0.1:$port/a.zst: "
# A server without TLS.
fails env SSL_CERT_FILE="$PWD/one.pem" "$SLUICE" -dq "https://127.0.0.1:$simple/a.zst"
says "https://127.0.0.1:$simple/a.zst: "
# From https to http, but without what is secret.
requests plain-web >/dev/null
works env SSL_CERT_FILE="$PWD/one.pem" "$SLUICE" -dcq --no-sandbox --http-header='X-Token: hidden' \
    "$secure/~redirect=http:%2F%2F127.0.0.1:$simple%2Fa.zst/a.zst" >got
same got plain
[ -s plain-web.log ] || fail "not redirected"
! grep -q hidden plain-web.log || fail "$(cat plain-web.log)"
# That is said, once.
works env SSL_CERT_FILE="$PWD/one.pem" "$SLUICE" -dc --no-sandbox \
    "$secure/~redirect=http:%2F%2F127.0.0.1:$simple%2Fa.zst/a.zst" >got
says "warning: $secure/~redirect=http:%2F%2F127.0.0.1:$simple%2Fa.zst/a.zst: the server redirects from https to http"
[ "$(grep -c 'from https to http' "$messages")" = 1 ] || fail "$(cat "$messages")"
