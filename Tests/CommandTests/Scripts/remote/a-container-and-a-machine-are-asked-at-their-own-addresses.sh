# A relative URI leads to the host of ECS, and a machine is asked at the address of EC2's metadata, where no variable
# names another: in a network of its own, which has both.
needs ip unshare python3
unshare -n true 2>/dev/null || skip 'no network can be made here'
mkdir web
corpus random 1M >plain
works "$SLUICE" -q -B128K plain -o web/a.zst
# shellcheck disable=SC2016  # for the other shell
unshare -n bash -c '
    # shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
    . "$SCRIPTS/remote/server.bash"
    ip link set lo up
    for address in 169.254.170.2 169.254.169.254; do ip addr add $address/32 dev lo; done
    serve web --log-header Authorization --log-header Host --at 0.0.0.0 80
    unset AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_EC2_METADATA_DISABLED
    export HOME=/none AWS_ENDPOINT_URL_S3=http://127.0.0.1
    works env AWS_CONTAINER_CREDENTIALS_RELATIVE_URI="/~give=box/container" AWS_CONTAINER_AUTHORIZATION_TOKEN=hidden \
        "$SLUICE" -dcv "s3://bucket/~key=box/a.zst" >got
    same got plain
    says "s3: the key is that of the container"
    grep -q "^GET	/~give=box/container	200	.*	hidden	169.254.170.2$" web.log || fail "$(cat web.log)"
    works "$SLUICE" -dcv "s3://bucket/~key=imds/a.zst" >got
    same got plain
    says "s3: the key is that of the machine'"'"'s metadata"
    grep -q "^PUT	/latest/api/token	200	.*	169.254.169.254$" web.log || fail "$(cat web.log)"
'
