# What is after s3://BUCKET/ is a key, blanks and all; an output has the decoded name; what is no URL says what is one.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir -p web
corpus text 300K >plain
works "$SLUICE" -q plain -o 'web/my back up.tar.zst'
cp 'web/my back up.tar.zst' web/ä.zst
cp 'web/my back up.tar.zst' 'web/a%b.zst'
serve web
export AWS_ENDPOINT_URL=http://localhost:$port AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret
unset AWS_SESSION_TOKEN AWS_VIRTUAL_HOSTED_STYLE_REQUEST
works "$SLUICE" -dq "$url/my%20back%20up.tar.zst"
same 'my back up.tar' plain
rm 'my back up.tar'
works "$SLUICE" -dq 's3://bucket/my back up.tar.zst'
same 'my back up.tar' plain
works "$SLUICE" -dq "$url/%C3%A4.zst" "$url/a%25b.zst"
same ä plain
same a%b plain
works "$SLUICE" -dcq "$url/~set=x:y/%C3%A4.zst" >got
# No part of a name leads elsewhere, and none is hidden.
for name in '..%2Fevil.zst' '%2Fevil.zst' '%2e%2e%2fevil.zst' 'a%0Ab.zst' 'a%1B%5B31m.zst' 'a%E2%80%AEb.zst' '%2e%2e.zst'; do
    mkdir -p into/here
    cp web/ä.zst "web/evil.zst"
    (cd into/here && "$SLUICE" -dq "$url/$name" >/dev/null 2>&1) || true
    [ "$(find into ! -path into/here ! -path into | wc -l)" -le 1 ] || fail "$name made $(find into)"
    [ -z "$(find into ! -path 'into/here*' ! -path into)" ] || fail "$name made $(find into)"
    if find into | grep -q '[[:cntrl:]]'; then fail "$name has control characters"; fi
    rm -rf into
done
fails "$SLUICE" -dq "$url/my back up.tar.zst"
says "$url/my back up.tar.zst: a blank in a URL is written as %20"
for scheme in ftp gs az s3a gopher; do
    fails "$SLUICE" -dq "$scheme://host/a.zst"
    says "$scheme://host/a.zst: URLs are http, https or s3"
done
# Both slashes, whatever the message, and whoever reads it.
for words in '-d' '-t' '-l' '-d --recover' '-l --members' '-d --member=x' '-d --tail=5' '-d --part=1/2' '--append -o x' ''; do
    # shellcheck disable=SC2086  # several words
    exits 1 "$SLUICE" -v $words "$url/none.zst"
    if grep -E 'http:/[^/]' "$messages"; then fail "one slash: $words"; fi
done
works "$SLUICE" -dcv --stats-file=stats --trace=trace --report=report.html "$url/%C3%A4.zst" >got
if grep -E 'http:(\\?/)[^/\\]' "$messages" stats trace report.html; then fail "one slash"; fi
# A store that wants the bucket in its host, as other tools are told.
works env AWS_VIRTUAL_HOSTED_STYLE_REQUEST=true "$SLUICE" -dcq 's3://bucket/~host-style%3DNever/ä.zst' >got
