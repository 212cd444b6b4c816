# A key that expires during a run is renewed in time, and once after the store has called it expired, within the sandbox.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir -p web keys tokens/first
corpus random 3M >plain
works "$SLUICE" -q -B128K plain -o web/a.zst
serve keys
keys=$url
serve web --log-header Authorization
export AWS_ENDPOINT_URL_S3=$url HOME=/none
given() { grep -cE '/container	200' keys.log || true; }

# The store's clock counts.
export AWS_CONTAINER_CREDENTIALS_FULL_URI="$keys/~give=box/container"
works "$SLUICE" -dcqv 's3://bucket/~key=box&expired=box-1/a.zst' >got
same got plain
says 's3: a new key is that of the container'
[ "$(given)" = 2 ] || fail "$(cat keys.log)"
# What is not renewed is an error.
fails env AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x "$SLUICE" -dcq 's3://bucket/~expired=x/a.zst'
says 'the server refuses the keys (status 400, ExpiredToken)'

# In the middle of a run, whose token is replaced as Kubernetes does: by another link.
echo hidden-first | tee keys/password >tokens/first/token
ln -s first tokens/..data
ln -s ..data/token tokens/token
: >keys.log
export AWS_CONTAINER_CREDENTIALS_FULL_URI="$keys/~give=pod&life=6&authorization=password/container"
export AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=$PWD/tokens/token
"$SLUICE" -dcv --connections=1 's3://bucket/~key=pod&slow=0.04/a.zst' >got 2>log &
run=$!
await grep -q 'the key is that of' log
mkdir tokens/second
echo hidden-second | tee keys/password >tokens/second/token
ln -s second tokens/..new
mv -T tokens/..new tokens/..data
rm -r tokens/first
wait $run
same got plain
grep -q 's3: a new key is that of the container' log || fail "$(cat log)"
if grep -q 'hidden' log; then fail "$(cat log)"; fi
unset AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE AWS_CONTAINER_CREDENTIALS_FULL_URI

# A command runs again, outside of the sandbox.
mkdir home
cat >printer <<'END'
#!/bin/sh
echo run >>"${0%/*}/runs"
# What the sandbox would refuse.
cat /etc/passwd >"${0%/*}/copy"
printf '{"Version": 1, "AccessKeyId": "command-%d", "SecretAccessKey": "x", "Expiration": "%s"}' "$(wc -l <"${0%/*}/runs")" \
    "$(date -u -d '+6 seconds' +%FT%TZ)"
END
chmod +x printer
export AWS_CONFIG_FILE=$PWD/home/config
printf '[default]\ncredential_process = %s\n' "$PWD/printer" >"$AWS_CONFIG_FILE"
works "$SLUICE" -dcv --connections=1 's3://bucket/~key=command&slow=0.04/a.zst' >got
same got plain
says 's3: a new key is that of credential_process of profile default'
[ "$(wc -l <runs)" -ge 2 ] || fail "it ran once"
# The process that ran it has ended, also after a run that was killed, or interrupted with its whole group, while the
# command ran; and with it what the command has started, which is deaf to an interruption.
printf '[default]\ncredential_process = %s\n' "$PWD/sleeper" >"$AWS_CONFIG_FILE"
printf '#!/bin/sh\nsleep 1000 &\necho $! >%s\necho $$ >%s\nexec sleep 100\n' "$PWD/child" "$PWD/process" >sleeper
chmod +x sleeper
"$SLUICE" -dcq s3://bucket/~key=sleeper$$/a.zst >got 2>log &
run=$!
await test -s process
# Neither the run nor a core of it shows the key.
[ "$(tr -d '\n' </proc/$run/coredump_filter)" = 00000000 ] || fail "memory would be in cores"
grep -q '^Max core file size  *0 ' /proc/$run/limits || fail "$(cat /proc/$run/limits)"
kill -KILL $run
wait $run || true
gone() {
    ! kill -0 "$(cat process)" 2>/dev/null && ! kill -0 "$(cat child)" 2>/dev/null &&
        ! pgrep -f "[s]3://bucket/~key=sleeper$$/" >/dev/null
}
await gone
rm process child
spawn status setsid "$SLUICE" -dcq s3://bucket/~key=sleeper$$/a.zst >got 2>log &
await test -s process
start=$(now)
kill -INT -- -"$(pid status)"
ended status SIGINT 10 "$start"
await gone
# What it leaves behind after a success ends as well, with the run.
rm process child
printf '#!/bin/sh\nsleep 1000 &\necho $! >%s\necho $$ >%s\n%s\n' "$PWD/child" "$PWD/process" "exec $PWD/printer" >sleeper
works "$SLUICE" -dcqv s3://bucket/~key=command/a.zst >got
same got plain
kill -0 "$(cat child)" 2>/dev/null && fail "it left something running"
await gone
