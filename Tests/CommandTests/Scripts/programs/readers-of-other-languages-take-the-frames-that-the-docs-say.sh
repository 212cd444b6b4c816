# Long: it needs readers that few have.
# docs/readers.md: those of Go, Java and Node, and more of Python's, where they are. scripts/readers installs them.
needs python3
corpus text 3M >a
works "$SLUICE" -q -B1M a -o many.zst
works "$SLUICE" -q --single-frame a -o one.zst
tried=0
if command -v go >/dev/null && [ -d /usr/share/gocode/src/github.com/klauspost/compress/zstd ]; then
    tried=$((tried + 1))
    export HOME=$PWD GOCACHE=$PWD/cache GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS=-p=1
    go build -o go-reader "$SCRIPTS/programs/readers.go" >out 2>&1 || fail "$(cat out)"
    ./go-reader a one.zst many.zst >out || fail "Go: $(cat out)"
fi
jar=/usr/share/java/zstd-jni.jar
if [ -e $jar ] && java --list-modules 2>/dev/null | grep '^jdk.compiler' >/dev/null; then
    tried=$((tried + 1))
    java -cp $jar "$SCRIPTS/programs/Readers.java" a one.zst many.zst >out 2>&1 || fail "Java: $(cat out)"
fi
env -u BASH_ENV python3 -B "$SCRIPTS/programs/serve.py" &
server=$!
trap 'kill $server' EXIT
await test -s port
url=http://127.0.0.1:$(cat port)/
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
# Node 24: all but the stream end with the first frame without an error.
if command -v node >/dev/null && env -u BASH_ENV node -e 'process.exit(require("zlib").zstdDecompressSync ? 0 : 1)'; then
    tried=$((tried + 1))
    node() { env -u BASH_ENV node -e "const zlib = require('zlib'), fs = require('fs'); $*"; }
    head -c 1M a >first
    for name in one many; do
        if [ $name = one ]; then wanted=a; else wanted=first; fi
        node "process.stdout.write(zlib.zstdDecompressSync(fs.readFileSync('$name.zst')))" | same /dev/stdin $wanted
        node "zlib.zstdDecompress(fs.readFileSync('$name.zst'), (error, data) => {
            if (error) throw error; process.stdout.write(data) })" | same /dev/stdin $wanted
        node "fetch('$url$name.zst').then(answer => answer.arrayBuffer()).then(
            data => process.stdout.write(Buffer.from(data)))" | same /dev/stdin $wanted
        code=0
        node "fs.createReadStream('$name.zst').pipe(zlib.createZstdDecompress()).pipe(process.stdout)" \
            >out 2>"$messages" || code=$?
        same out $wanted
        if [ $name = one ]; then [ $code = 0 ]; else [ $code = 1 ] && says 'Unknown frame descriptor'; fi
    done
fi
# A Python that scripts/readers has made, with what its libraries need to read frames.
if [ -n "${READERS_PYTHON:-}" ]; then
    tried=$((tried + 1))
    env -u BASH_ENV timeout 300 "$READERS_PYTHON" -B "$SCRIPTS/programs/readers.py" a one.zst many.zst "$url" ||
        fail "$READERS_PYTHON says so"
fi
if command -v chromium >/dev/null; then
    tried=$((tried + 1))
    for name in one many; do
        env -u BASH_ENV timeout 120 chromium --headless --no-sandbox --disable-gpu --no-proxy-server \
            --user-data-dir="$PWD/chromium" --dump-dom "$url$name.zst" 2>out >page || fail "$(tail -n 5 out)"
        perl -0777 -ne 'print $1 if m|<pre[^>]*>(.*?)\n?</pre>|s' page | same /dev/stdin a
    done
fi
[ $tried -gt 0 ] || skip 'no such readers here'
