# Apache labels files as Debian's mime.conf can, nginx allows one connection or few requests a second, and Python's server
# has no ranges: all of a file, a list, its end and a member are those of the file.
needs nginx python3 xz
apache=$(command -v apache2 || echo /usr/sbin/apache2)
[ -x "$apache" ] || skip "apache2 is not installed"
modules=/usr/lib/apache2/modules
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web tree
for number in {1..40}; do corpus random 100K >"tree/$number"; done
tar cf tree.tar tree
works "$SLUICE" -q -B128K --members tree.tar -o web/tree.tar.zst
gzip -c tree.tar >web/tree.tar.gz
gzip -c tree/17 >web/17.tgz
xz -0c tree/17 >web/17.xz
# nginx and Apache read as other users.
chmod -R a+rX .
# Ports that nobody has just now.
read -r first second third fourth < <(env -u BASH_ENV python3 -c '
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(4)]
print(*[s.getsockname()[1] for s in sockets])')

# gives URL: what commands make of tree.tar.zst there is what they make of the file.
gives() {
    local -
    set +x
    local words
    works timeout 100 "$SLUICE" -dcq "$1/tree.tar.zst" >got
    same got tree.tar
    works timeout 100 "$SLUICE" -dcq --tail=300000 "$1/tree.tar.zst" >got
    cmp got <(tail -c 300000 tree.tar)
    works timeout 100 "$SLUICE" -dcq --member=tree/17 "$1/tree.tar.zst" >got
    same got tree/17
    for words in -l '-l --members'; do
        # shellcheck disable=SC2086  # several words
        cmp <(cd web && "$SLUICE" $words tree.tar.zst) <("$SLUICE" -q $words "$1/tree.tar.zst" | sed "s,$1/,,")
    done
}

cat >apache.conf <<END
ServerRoot $PWD
ServerName 127.0.0.1
PidFile $PWD/apache.pid
ErrorLog $PWD/apache.log
Listen 127.0.0.1:$first
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule mime_module $modules/mod_mime.so
TypesConfig /dev/null
# mime.conf has these lines for those who want them.
AddEncoding x-compress .Z
AddEncoding x-gzip .gz .tgz
AddEncoding x-bzip2 .bz2
AddEncoding zstd .zst
AddEncoding x-xz .xz
DocumentRoot $PWD/web
END
"$apache" -d "$PWD" -f "$PWD/apache.conf" -D FOREGROUND 2>apache.errors 9>&- &
servers+=($!)
await test -s apache.pid
url=http://127.0.0.1:$first
gives "$url"
for name in tree.tar.gz:tree.tar 17.tgz:tree/17 17.xz:tree/17; do
    works "$SLUICE" -dcq "$url/${name%:*}" >got
    same got "${name#*:}"
done

cat >nginx.conf <<END
pid $PWD/nginx.pid; error_log $PWD/error.log; daemon off;
events {}
http {
    access_log $PWD/access.log;
    limit_conn_zone \$binary_remote_addr zone=one:1m;
    limit_req_zone \$binary_remote_addr zone=few:1m rate=10r/s;
    server { listen 127.0.0.1:$second; root $PWD/web; limit_conn one 1; limit_rate 8m; }
    server { listen 127.0.0.1:$third; root $PWD/web; limit_req zone=few burst=2 nodelay; }
}
END
nginx -c "$PWD/nginx.conf" 2>nginx.errors 9>&- &
servers+=($!)
await test -s nginx.pid
gives "http://127.0.0.1:$second"
# It has refused some requests, and the run took none of them for a failure that has to be waited for.
grep -q '" 503 ' access.log || fail "nothing was refused"
works "$SLUICE" -dcqv "http://127.0.0.1:$second/tree.tar.zst" >got
if grep -q 'trying again in' "$messages"; then fail "$(cat "$messages")"; fi
: >access.log
works "$SLUICE" -dcq --connections=1 "http://127.0.0.1:$second/tree.tar.zst" >got
if grep -q '" 503 ' access.log; then fail "$(cat access.log)"; fi
gives "http://127.0.0.1:$third"

(cd web && exec env -u BASH_ENV python3 -B -m http.server --bind 127.0.0.1 "$fourth") >python.log 2>&1 9>&- &
servers+=($!)
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
await listens "$fourth"
gives "http://127.0.0.1:$fourth"
