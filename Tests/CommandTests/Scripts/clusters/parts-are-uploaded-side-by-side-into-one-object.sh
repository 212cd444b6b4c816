. "$SCRIPTS/statistics/tools.bash"
needs curl moto_server
python -c 'import boto3' 2>/dev/null || skip "boto3 is not installed"
corpus random 10M >plain
corpus text 20M >>plain
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true
port=$(python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export AWS_ENDPOINT_URL=http://127.0.0.1:$port
env -u BASH_ENV moto_server -H 127.0.0.1 -p "$port" >server 2>&1 &
server=$!
trap 'kill $server' EXIT
answers() { python -c 'import socket, sys; socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1)' "$port" 2>/dev/null; }
await answers
store() { curl -sf --noproxy '*' "$@"; }
store -X PUT "$AWS_ENDPOINT_URL/bucket"
upload() { python "$ROOT/Examples/clusters/s3.py" "$@"; }
id=$(upload begin bucket big.zst)
# One is missing, then made; one is made twice. All in any order, at once.
for part in 3 2; do upload part bucket big.zst "$id" $part/3 plain -1 -B1M & done
for job in $(jobs -p); do [ "$job" = $server ] || wait "$job"; done
refuses upload complete bucket big.zst "$id" 3
for part in 1 2; do upload part bucket big.zst "$id" $part/3 plain -1 -B1M & done
for job in $(jobs -p); do [ "$job" = $server ] || wait "$job"; done
upload complete bucket big.zst "$id" 3
store "$AWS_ENDPOINT_URL/bucket/big.zst" >big.zst
works "$SLUICE" -q -t big.zst
zstd -dcq big.zst | cmp - plain
# A range between two multiples of 8 MiB is whole frames: of the first two those of the first part.
[ $(($(size big.zst) % (8 << 20))) = 0 ]
store --range "0-$(((8 << 20) - 1))" "$AWS_ENDPOINT_URL/bucket/big.zst" >first.zst
store --range "$((8 << 20))-$(((16 << 20) - 1))" "$AWS_ENDPOINT_URL/bucket/big.zst" >second.zst
zstd -dcq first.zst >first
zstd -dcq second.zst >second
cat first second >both
prefix_of both plain
[ "$(size first)" -gt $((6 << 20)) ]
