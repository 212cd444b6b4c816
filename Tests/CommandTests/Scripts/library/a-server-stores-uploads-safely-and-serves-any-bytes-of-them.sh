# The example ByteServer, asked with curl.
needs curl
# shellcheck source=../statistics/tools.bash
. "$SCRIPTS/statistics/tools.bash"
server=$(examples)/ByteServer
[ -x "$server" ] || skip 'the examples are not built'
mkdir store
port=$((20000 + $$ % 20000))
"$server" "$port" store >log 2>&1 &
server_id=$!
trap 'kill $server_id 2>/dev/null || true' EXIT
url=http://127.0.0.1:$port
for _ in {1..100}; do
    if curl -s -o answer "$url/none"; then break; fi
    kill -0 $server_id || fail "the server ended: $(cat log)"
    sleep 0.1
done

perl -e 'printf "%09d %s\n", $_, "x" x ($_ % 90) for 1 .. 200000' >data
[ "$(curl -s -o answer -w '%{http_code}' -T data "$url/data")" = 201 ] || fail "$(cat answer)"
zstd -q -d -c store/data.zst | cmp - data
curl -s -o whole "$url/data"
same whole data
# Ranges from the start, the middle, the end, and beyond it.
for range in 0-0 0-99 5000000-5099999 -100 10000000- 1-99999999; do
    curl -s -D headers -r "$range" -o part "$url/data"
    grep -q '^HTTP/1.1 206' headers || fail "$range: $(cat headers)"
    python - "$range" data >expected <<'PYTHON'
import sys
first, last = sys.argv[1].split("-")
data = open(sys.argv[2], "rb").read()
if first:
    part = data[int(first) : int(last) + 1 if last else None]
else:
    part = data[-int(last) :]
sys.stdout.buffer.write(part)
PYTHON
    same part expected
done
[ "$(curl -s -o answer -w '%{http_code}' -r 99999999- "$url/data")" = 416 ] || fail 'a range behind the end'
[ "$(curl -s -o answer -w '%{http_code}' "$url/none")" = 404 ] || fail 'a file that is not there'
[ "$(curl -s -o answer -w '%{http_code}' --path-as-is "$url/..%2Fdata")" != 200 ] || fail 'a way out of the folder'

# An upload that breaks off leaves the old file, and nothing else.
(
    head -n 100000 data
    sleep 30
) | curl -s -m 1 -T - "$url/data" >answer 2>&1 || true
sleep 1
[ "$(ls -A store)" = data.zst ] || fail "$(ls -A store)"
zstd -q -d -c store/data.zst | cmp - data
kill $server_id
wait $server_id || true
