# Long: it needs readers that few have.
# docs/readers.md: who reads many frames, and who stops after the first.
needs curl python3
corpus text 3M >a
works "$SLUICE" -q -B1M a -o many.zst
works "$SLUICE" -q --single-frame a -o one.zst
tried=0
for command in 'zstd -dc' 'pzstd -dqc' bsdcat 'zst -dc'; do
    command -v "${command%% *}" >/dev/null || continue
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
    env -u BASH_ENV python3 -B "$SCRIPTS/programs/serve.py" &
    server=$!
    trap 'kill $server' EXIT
    await test -s port
    for name in one many; do
        curl -sS --noproxy '*' --max-time 20 --compressed "http://127.0.0.1:$(cat port)/$name.zst" | same /dev/stdin a
    done
fi
[ $tried -gt 2 ] || skip "no readers here"
