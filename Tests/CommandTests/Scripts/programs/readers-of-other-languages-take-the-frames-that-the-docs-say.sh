# docs/readers.md: those of Go, Java and Node, where they are. scripts/readers installs them, which takes 500 MB.
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
if command -v node >/dev/null && env -u BASH_ENV node -e 'process.exit(require("zlib").zstdDecompressSync ? 0 : 1)'; then
    tried=$((tried + 1))
    for name in one many; do
        env -u BASH_ENV node -e "process.stdout.write(require('zlib').zstdDecompressSync(require('fs').readFileSync('$name.zst')))" |
            same /dev/stdin a
    done
fi
[ $tried -gt 0 ] || skip 'no such readers here'
