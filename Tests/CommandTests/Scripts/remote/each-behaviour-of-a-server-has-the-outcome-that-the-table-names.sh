# Slow: many runs
# Each line of servers.txt: what a server does, and what must come of it. The table of docs/remote.md has the same words.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web tree
for number in {1..30}; do corpus random 100K >"tree/$number"; done
tar cf a.tar tree
works "$SLUICE" -q -B128K --members a.tar -o web/a.tar.zst
serve web
export AWS_ENDPOINT_URL=http://localhost:$port AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret
unset AWS_SESSION_TOKEN AWS_VIRTUAL_HOSTED_STYLE_REQUEST

commands=(-dcq -l '-dcq --tail=500000' '-dcq --member=tree/17')
for number in "${!commands[@]}"; do
    # shellcheck disable=SC2086  # several words
    (cd web && works "$SLUICE" ${commands[number]} a.tar.zst) >"wanted.$number"
done
cmp wanted.0 a.tar
cmp wanted.3 tree/17

# check NUMBER WORDS EXPECTED: what a command makes of a server that does this is what was expected.
check() {
    local -
    set +x
    local words=${commands[$1]} expected=$3 count code=0
    # -q would keep the line about what was read.
    [ "${expected:0:1}" != + ] || words=${words/ -dcq/ -dc} words=${words/#-dcq/-dc}
    asking "${2#@s3 }" a.tar.zst
    if [ "${2%% *}" = @s3 ]; then
        # The server finds the words in the key.
        asked=s3://bucket/${asked#"$url/"}
        asked=${asked//%2F//}
    fi
    : >web.log
    # shellcheck disable=SC2086  # several words
    timeout 60 "$SLUICE" $words --timeout=5 "$asked" >got 2>"$messages" || code=$?
    count=$(wc -l <web.log)
    if [ "${expected:0:1}" = ! ]; then
        [ $code = 1 ] || fail "exit code $code: $words, $2"
        says "${expected:1}"
        return
    fi
    [ $code = 0 ] || fail "exit code $code: $words, $2: $(cat "$messages")"
    # A list ends with the name.
    sed "s,$url/[^ ]*/,,; s,s3://bucket/[^ ]*/,," got | cmp - "wanted.$1" >&9 || fail "other output: $words, $2"
    case $expected in
    '<'*) [ "$count" -lt "${expected:1}" ] || fail "$count requests: $words, $2" ;;
    +*) says "$(trim "${expected:1}")" ;;
    =) ;;
    *) fail "what is '$expected'?" ;;
    esac
}
trim() { local text=${1#"${1%%[! ]*}"}; echo "${text%"${text##*[! ]}"}"; }

rows=0
while IFS='|' read -r what outcome words rest; do
    [[ -n $what && $what != '#'* ]] || continue
    grep -qF "| $(trim "$what") | $(trim "$outcome") |" "$ROOT/docs/remote.md" || fail "docs/remote.md has no row '$(trim "$what")'"
    IFS='|' read -ra expected <<<"$rest"
    [ ${#expected[@]} = 4 ] || fail "a line of other parts: $what"
    for number in 0 1 2 3; do check $number "$(trim "$words")" "$(trim "${expected[number]}")"; done
    rows=$((rows + 1))
done <"$SCRIPTS/remote/servers.txt"
[ $rows -gt 30 ] || fail "only $rows rows"
# And each row of the page is tried here.
sed -n '/^| a server that /,/^$/p' "$ROOT/docs/remote.md" | tail -n +3 | while IFS='|' read -r _ what _; do
    [ -z "$what" ] || grep -qF "$(trim "$what") |" "$SCRIPTS/remote/servers.txt" || fail "nothing tries '$what'"
done
# An option sets the most requests at a time from the start on.
asking 'at-once=1&with=503' a.tar.zst
works "$SLUICE" -dcqv --connections=1 "$asked" >got
same got a.tar
if grep -q 'trying again' "$messages"; then fail "$(cat "$messages")"; fi
# A version of an object, whose ID may be any text.
works "$SLUICE" -dcq --object-version='a b/=c' "s3://bucket/~version=a%20b%2F%3Dc/a.tar.zst" >got
# Lines of headers are signed: whose reader pays, and a key for the object.
works "$SLUICE" -dcq --http-header='x-amz-request-payer: requester' 's3://bucket/~needs=x-amz-request-payer:requester/a.tar.zst' >got
same got a.tar
cat >lines <<'END'
x-amz-server-side-encryption-customer-algorithm: AES256
x-amz-server-side-encryption-customer-key: c2x1aWNlc2x1aWNlc2x1aWNlc2x1aWNlMTIzNDU2Nzg=
x-amz-server-side-encryption-customer-key-MD5: 3nGXzDmOqpWb6S1zLHjjRA==
END
needs=$(sed 's/: /:/; s/=/%3D/g; s/^/needs=/' lines | paste -sd '&')
if "$SLUICE" -dcq --http-header=@lines "s3://bucket/~$needs/a.tar.zst" >got 2>"$messages"; then
    same got a.tar
    sed -i 3d lines
    fails "$SLUICE" -dcq --http-header=@lines "s3://bucket/~$needs/a.tar.zst"
    says 'status 403, AccessDenied'
else
    # libcurl before 8.10 would sign them in an order that stores refuse.
    says "can't sign x-amz-server-side-encryption-customer-key together with x-amz-server-side-encryption-customer-key-md5"
fi
