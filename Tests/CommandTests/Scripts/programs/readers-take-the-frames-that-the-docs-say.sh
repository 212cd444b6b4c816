# docs/readers.md: who reads many frames, and who stops after the first.
corpus text 3M >a
works "$SLUICE" -q -B1M a -o many.zst
works "$SLUICE" -q --single-frame a -o one.zst
tried=0
for command in 'zstd -dc' 'pzstd -dqc' bsdcat 'zst -dc'; do
    command -v ${command%% *} >/dev/null || continue
    tried=$((tried + 1))
    for name in one many; do
        $command $name.zst | same /dev/stdin a
        # shellcheck disable=SC2002
        cat $name.zst | $command | same /dev/stdin a
    done
done
# Debian's libraries belong to Debian's Python; the one in PATH may have others.
for python in /usr/bin/python3 python3; do
    code=0
    env -u BASH_ENV $python -B "$SCRIPTS/programs/readers.py" a one.zst many.zst || code=$?
    [ $code = 77 ] || tried=$((tried + 1))
    [ $code = 77 ] || [ $code = 0 ] || fail "$python says so"
done
# curl unpacks what a server packed.
if curl --version | grep zstd; then
    cat >server.py <<'PYTHON'
import http.server


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(self.path[1:], "rb") as file:
            data = file.read()
        self.send_response(200)
        self.send_header("Content-Encoding", "zstd")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open("port", "w") as file:
    file.write(f"{server.server_port}\n")
for _ in range(2):
    server.handle_request()
PYTHON
    env -u BASH_ENV timeout 60 python3 -B server.py &
    await test -s port
    for name in one many; do
        curl -sS --noproxy '*' --max-time 20 --compressed "http://127.0.0.1:$(cat port)/$name.zst" | same /dev/stdin a
    done
    wait
fi
[ $tried -gt 2 ] || skip "no readers here"
