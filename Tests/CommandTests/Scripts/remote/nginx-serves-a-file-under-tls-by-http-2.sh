# A file of nginx, under TLS and by HTTP/2: all of it, a list, a range and a member are those of the file.
needs nginx openssl python3
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
unset CURL_CA_BUNDLE SSL_CERT_DIR
mkdir web tree
for number in {1..40}; do corpus random 100K >"tree/$number"; done
tar cf tree.tar tree
works "$SLUICE" -q -B128K --members tree.tar -o web/tree.tar.zst
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test \
    -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem 2>/dev/null
# nginx reads as another user.
chmod -R a+rX .
# A port that nobody has just now.
port=$(env -u BASH_ENV python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >nginx.conf <<END
pid $PWD/pid; error_log $PWD/error.log; daemon off;
events {}
http {
    log_format protocol '\$server_protocol \$status \$http_range'; access_log $PWD/access.log protocol;
    server {
        listen 127.0.0.1:$port ssl http2; root $PWD/web;
        ssl_certificate $PWD/certificate.pem; ssl_certificate_key $PWD/key.pem;
    }
}
END
nginx -c "$PWD/nginx.conf" 2>nginx.errors 9>&- &
servers+=($!)
await test -s pid
export SSL_CERT_FILE=$PWD/certificate.pem
url=https://127.0.0.1:$port/tree.tar.zst
works "$SLUICE" -dcq "$url" >got
same got tree.tar
works "$SLUICE" -tq "$url"
works "$SLUICE" -dcq --offset=1M --length=100 "$url" >got
cmp got <(tail -c +1048577 tree.tar | head -c 100)
works "$SLUICE" -dcq --member=tree/17 "$url" >got
same got tree/17
cmp <("$SLUICE" -lq --members web/tree.tar.zst) <("$SLUICE" -lq --members "$url")
fails "$SLUICE" -dcq "https://127.0.0.1:$port/absent.zst"
says "404"
# Each answer came by HTTP/2.
if grep -v '^HTTP/2.0 ' access.log >&9; then fail "not by HTTP/2"; fi
[ "$(grep -c '^HTTP/2.0 206' access.log)" -gt 8 ] || fail "$(cat access.log)"
