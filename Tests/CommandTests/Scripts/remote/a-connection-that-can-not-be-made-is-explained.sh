# The sandbox, a proxy that is not there, a host that nobody knows: each has its own sentence, and none takes long.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web other
corpus text 300K >plain
works "$SLUICE" -q plain -o web/a.zst
cp web/a.zst other/a.zst
serve other
there=$port
serve web
took() { awk -v start="$1" -v end="$(now)" -v most="$2" 'BEGIN { exit !(end - start < most) }' || fail "it took from $1 to $(now)"; }
# A redirection to another port, where the sandbox covers that.
if "$SLUICE" -tvv "$url/a.zst" 2>&1 | grep -q '^confined by Landlock:.*TCP'; then
    start=$(now)
    fails "$SLUICE" -dcq "$url/~to=$there/a.zst"
    says "the server redirects to port $there"
    says '--no-sandbox'
    took "$start" 2
fi
works "$SLUICE" -dcq --no-sandbox "$url/~to=$there/a.zst" >got
same got plain
# A proxy that is not there is called a proxy.
nobody=$(env -u BASH_ENV python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
(
    export http_proxy=http://user:hidden@127.0.0.1:$nobody
    timeout 3 "$SLUICE" -dcv "http://example.org/a.zst" >/dev/null 2>"$messages" || true
    says 'the proxy'
    if grep -q hidden "$messages"; then fail "$(cat "$messages")"; fi
)
# On a terminal, whoever waits is told.
(timeout 3 script -qec "$SLUICE -dc http://127.0.0.1:$nobody/a.zst >/dev/null" /dev/null || true) </dev/null >said 2>&1
grep -q 'trying again in' said || fail "$(cat said)"
(timeout 3 script -qec "$SLUICE -dcq http://127.0.0.1:$nobody/a.zst >/dev/null" /dev/null || true) </dev/null >said 2>&1
if grep -q 'trying again in' said; then fail "$(cat said)"; fi
# A host that nobody knows is asked for twice.
start=$(now)
fails timeout 60 "$SLUICE" -dcqv http://none.invalid/a.zst
[ "$(grep -c 'trying again in 2.0 s' "$messages")" = 1 ] || fail "$(cat "$messages")"
took "$start" 30
# Recovery reads ahead, as decompression does.
corpus random 3M >big
works "$SLUICE" -q -B128K big -o web/big.zst
requests web >/dev/null
works "$SLUICE" -dcq --recover "$url/big.zst" >got
same got big
read -r count _ < <(requests web)
[ "$count" -le 8 ] || fail "$count requests"
