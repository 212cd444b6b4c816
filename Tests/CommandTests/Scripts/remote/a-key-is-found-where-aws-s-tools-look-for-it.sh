# The key for an s3:// URL comes from the environment, a token, a profile, a command, a container or the machine, within the
# sandbox; -v says from where, and nothing says more.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir -p web keys home/.aws tokens
corpus random 3M >plain
works "$SLUICE" -q -B128K plain -o web/a.zst
printf 'hidden-identity\n' >keys/identity
printf 'hidden-password\n' >keys/password
cp keys/* tokens
# On ports of their own, which the sandbox opens.
serve keys --log-header Authorization
keys=$url
serve web --log-header Authorization --log-header X-Amz-Security-Token
unset AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_EC2_METADATA_DISABLED
export AWS_ENDPOINT_URL_S3=$url HOME=$PWD/home
cat >printer <<'END'
#!/bin/sh
echo run >>"${0%/*}/runs"
[ "$1|$2" = "a b|c " ] || exit 9
case $(cat "${0%/*}/mood" 2>/dev/null) in
fails) echo hidden; exit 3 ;;
slow) sleep 60 ;;
long) yes hidden ;;
odd) echo hidden ;;
*) echo '{"Version": 1, "AccessKeyId": "command", "SecretAccessKey": "hidden", "SessionToken": "hidden"}' ;;
esac
END
chmod +x printer
cat >home/.aws/credentials <<'END'
# A comment.
[default]
aws_access_key_id = default
aws_secret_access_key = hidden

[other]
  ; another one
aws_access_key_id: other
aws_secret_access_key: hidden
aws_session_token: hidden
END
cat >home/.aws/config <<END
[profile command]
credential_process = "$PWD/printer" 'a b' "c "
[profile whole]
aws_access_key_id = whole
aws_secret_access_key = hidden
region = eu-west-9
endpoint_url = $url
s3 =
    addressing_style = path
[profile role]
role_arn = r
[profile sso]
sso_session = x
sso_account_id = 1
END

# What a run has written has no secret.
untold() {
    if grep -aE 'hidden' "$messages" stats trace report.html 2>/dev/null >&9; then fail "it tells a secret"; fi
    rm -f stats trace report.html
}
# gives ID PLACE VARIABLES...: requests are signed with a key whose identifier begins so.
gives() {
    local -
    set +x
    local id=$1 place=$2
    shift 2
    works env "$@" timeout 100 "$SLUICE" -dc -vv --stats-file=stats --trace=trace --report=report.html "s3://bucket/~key=$id/a.zst" >got
    same got plain
    says "s3: the key is that of $place"
    untold
}
gives environment 'the environment' AWS_ACCESS_KEY_ID=environment AWS_SECRET_ACCESS_KEY=hidden AWS_SESSION_TOKEN=hidden AWS_PROFILE=other
identity=(AWS_WEB_IDENTITY_TOKEN_FILE="$PWD/tokens/identity" AWS_ROLE_ARN=arn:role AWS_ENDPOINT_URL_STS="$keys/~give=service&identity=identity/")
gives service-1 "web identity, by $keys/~give=service&identity=identity/" "${identity[@]}" AWS_PROFILE=other
gives default "profile default of $HOME/.aws/credentials" x=x
gives other "profile other of $HOME/.aws/credentials" AWS_PROFILE=other AWS_EC2_METADATA_SERVICE_ENDPOINT="$keys/~give=imds"
gives command 'credential_process of profile command' AWS_PROFILE=command
[ "$(wc -l <runs)" = 1 ] || fail "the command ran $(wc -l <runs) times"
gives whole "profile whole of $HOME/.aws/config" AWS_PROFILE=whole AWS_ENDPOINT_URL_S3=
grep -q '/eu-west-9/s3/' web.log || fail "the profile's region was not used"
container=(HOME=/none AWS_CONTAINER_CREDENTIALS_FULL_URI="$keys/~give=box&authorization=password/container")
gives box 'the container' "${container[@]}" AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE="$PWD/tokens/password"
gives box 'the container' "${container[@]}" AWS_CONTAINER_AUTHORIZATION_TOKEN=hidden-password
gives imds "the machine's metadata" HOME=/none AWS_EC2_METADATA_SERVICE_ENDPOINT="$keys/~give=imds"
# A service that fails twice is asked again, and neither a container nor a machine through a proxy.
gives box 'the container' HOME=/none AWS_CONTAINER_CREDENTIALS_FULL_URI="$keys/~give=box&fails=2/container"
gives service "web identity" "${identity[@]}" AWS_ENDPOINT_URL_STS="$keys/~give=service&identity=identity&fails=2/"
mkdir proxy
proxied=(HOME=/none no_proxy=localhost AWS_ENDPOINT_URL_S3="http://localhost:$port")
serve proxy
proxied+=(http_proxy="$url")
gives box 'the container' "${proxied[@]}" AWS_CONTAINER_CREDENTIALS_FULL_URI="$keys/~give=box/container"
gives imds "the machine's metadata" "${proxied[@]}" AWS_EC2_METADATA_SERVICE_ENDPOINT="$keys/~give=imds"
[ ! -s proxy.log ] || fail "the proxy was asked: $(cat proxy.log)"
# Temporary keys came with their tokens.
grep -q 'Credential=imds.*hidden' web.log || fail "no token was sent"
# All requests of a run have one key.
[ "$(grep -c "PUT.*give=imds" keys.log)" = 2 ] || fail "$(cat keys.log)"

# refused SENTENCE VARIABLES...: there is no key, which is an error.
refused() {
    local -
    set +x
    local sentence=$1
    shift
    fails env "$@" timeout 100 "$SLUICE" -dcq --timeout=1 "s3://bucket/~key=x/a.zst" >got
    says "$sentence"
    untold
}
for mood in fails:'exited with status 3' slow:'took more than 1 s' long:'printed more than 64 KiB' odd:'something other than a JSON object'; do
    echo "${mood%%:*}" >mood
    refused 'credential_process of profile command: the command ' AWS_PROFILE=command
    says "${mood#*:}"
done
rm mood
# shellcheck disable=SC2016  # what a message says
refused 'eval "$(aws configure export-credentials --format env)"' AWS_PROFILE=sso
refused 'AWS_PROFILE names none' AWS_PROFILE=none
refused 'profile role has role_arn without source_profile' AWS_PROFILE=role
refused 'gives no key (status 403)' "${container[@]}"
# The token service is asked through a proxy, as other servers are.
refused 'gives no key (status 404)' "${identity[@]}" "${proxied[@]}" AWS_ENDPOINT_URL_STS="$keys/none"
grep -q '^POST	.*/none	404' proxy.log || fail "the proxy was not asked: $(cat proxy.log)"
refused 'neither this machine nor the container' HOME=/none AWS_CONTAINER_CREDENTIALS_FULL_URI=http://example.org/x
refused "there is no $PWD/tokens/none" "${identity[@]}" AWS_WEB_IDENTITY_TOKEN_FILE="$PWD/tokens/none"
echo wrong >tokens/identity
refused 'gives no key (status 403, AccessDenied)' "${identity[@]}"
# Without a key, requests are not signed, and a refusal says where none was found.
none='the request is not signed, since no key was found in the environment, profile default'
refused "$none" HOME=/none AWS_EC2_METADATA_DISABLED=true
: >web.log
for wishes in 'give=imds&imds=401' 'give=imds&status=404' silent=start 'give=imds&status=500'; do
    refused "$none of /none/.aws/credentials (no such file) and /none/.aws/config (no such file), the machine's metadata" HOME=/none AWS_EC2_METADATA_SERVICE_ENDPOINT="$keys/~$wishes"
    # One second of patience, for those objects that everyone may read.
    start=$(now)
    works env HOME=/none AWS_EC2_METADATA_SERVICE_ENDPOINT="$keys/~$wishes" "$SLUICE" -dcq s3://bucket/a.zst >got
    same got plain
    awk -v start="$start" -v end="$(now)" -v most="$(patience 5)" 'BEGIN { exit !(end - start < most) }' || fail "from $start to $(now)"
done
# Each time the refused one, and at least one that is not.
[ "$(grep -c '^GET	.*a.zst	' web.log)" -ge 8 ] || fail "$(cat web.log)"
if grep -v '	-	-$' web.log >&9; then fail "something was signed"; fi
