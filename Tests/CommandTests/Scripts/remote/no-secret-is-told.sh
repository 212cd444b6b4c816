# Tokens, passwords and queries reach the server of the URL and nobody else: no other server, no message, no file.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web other home
corpus random 1M >plain
works "$SLUICE" -q -B128K plain -o web/a.zst
cp web/a.zst other/
logged=(--log-header X-Token --log-header Authorization --log-header X-Second --log-header X-Amz-Security-Token)
serve other "${logged[@]}"
elsewhere=$port
serve web "${logged[@]}"
printf 'X-Token: hidden-token\nX-Second: hidden-second\n' >headers
printf 'machine 127.0.0.1 login netrc-user password hidden-netrc\nmachine localhost login netrc-user password hidden-netrc\ndefault login x password hidden-default\n' >home/.netrc
export HOME=$PWD/home
# shellcheck disable=SC2016  # what is looked for
told='hidden|netrc-user'

once=
# untold CODE WORDS...: whatever a run writes has no secret.
untold() {
    local -
    set +x
    local code=$1 words
    shift
    for words in -q '-vv --stats=json' '-v --stats --progress=json' '-vv --progress=plain' \
        '-v --stats-file=stats --trace=trace --report=report.html'; do
        rm -f stats trace report.html
        # shellcheck disable=SC2086  # several words
        exits "$code" "$SLUICE" $words --timeout=1 "$@" >got
        if grep -aE "$told" "$messages" got stats trace report.html 2>/dev/null >&9; then fail "it tells: $words $*"; fi
        # Pauses between tries are long.
        [ -z "$once" ] || return 0
    done
}
address=${url#http://}
for options in --http-header=@headers '--http-header=X-Token: hidden-token'; do
    untold 0 -dcf "$options" "$url/a.zst?token=hidden-token"
    untold 0 -tf "$options" "http://user:hidden@$address/a.zst?signature=hidden#hidden"
    untold 0 -l "$options" "$url/a.zst?token=hidden-token"
    untold 1 -dcf "$options" "$url/none.zst?signature=hidden"
    untold 1 -dcf "$options" "$url/a.zst?token=hidden-other"
    untold 1 -dcf "$options" "$url/a.zst?from=2&status=403&x=hidden"
    untold 1 -dcf "$options" "$url/a.zst?redirect=file:///hidden"
done
once=yes
untold 0 -dcf -vv "$url/a.zst?status=503&times=1&x=hidden"
untold 1 -dcf -vv --stats=json --stats-file=stats --trace=trace "http://user:hidden@127.0.0.1:1/a.zst?signature=hidden"
untold 1 -dcf -vv --report=report.html "$url/a.zst?redirect=http://u:hidden@127.0.0.1:1/a.zst?hidden"
once=
untold 1 -dcf "http://user:hidden@127.0.0.1:99999/a.zst"
untold 1 -dcf "http://user:hidden@[/a.zst"
untold 1 -t "http://user:hidden@$address/a.zst?x=hidden" "http://user:hidden2@$address/a.zst?x=hidden"
untold 1 -l --http-header='hidden token' "$url/a.zst"
untold 1 -l --http-header=$'X: hidden\nY: hidden' "$url/a.zst"
# Where no URL is taken, or what is typed is none: a password with a mark in it that ends it.
once=yes
for secret in 'ftp://user:hidden@h/x' 's3a://user:hidden@h/x?hidden' "http://user:a/hidden@$address/a.zst" \
    "http://user:a?hidden@$address/a.zst" "http://user:a#hidden@$address/a.zst?hidden" "http://user:1/hidden@$address/a.zst" \
    $'http://user\u0d4e:hidden\u0d4e@127.0.0.1:1x/a\u0d4e?hidden' "http://user:hidden hidden@$address/a.zst"; do
    untold 1 -dcf "$secret"
    untold 1 -l "$secret"
    for option in -o -D --index --against --patch-from --filelist --stats-file --output-dir-flat; do
        untold 1 -df "$option" "$secret" "$url/a.zst"
    done
    untold 1 -tf "--memory=$secret" "$url/a.zst"
    untold 1 -d "--member=$secret" "$url/a.zst"
    untold 1 -o made --from-command -- "$secret"
    printf '%s\n' "$secret" >list
    untold 1 -dcf --filelist list
done
once=
printf 'hidden token\n' >bad
untold 1 -l --http-header=@bad "$url/a.zst"
# A secret of the environment.
export AWS_ENDPOINT_URL=$url AWS_ACCESS_KEY_ID=hidden-id AWS_SECRET_ACCESS_KEY=hidden-key AWS_SESSION_TOKEN=hidden-session
mkdir web/bucket
cp web/a.zst web/bucket/
untold 0 -dcf s3://bucket/a.zst
untold 1 -dcf s3://bucket/none.zst
grep -q hidden-session web.log || fail "no key was used"

# What each server got: token, password.
got() {
    local -
    set +x
    requests web >/dev/null
    requests other >/dev/null
    works "$SLUICE" -dcq --no-sandbox --http-header=@headers "$@" >got
    same got plain
}
basic() { printf %s "$1" | base64; }
secrets="hidden|AWS4|$(basic user:hidden)|$(basic netrc-user:hidden-netrc)|$(basic x:hidden-default)"
goes_to_none() { if grep -aE "$secrets" "$1.log" >&9; then fail "another server got a secret"; fi; }
got "http://user:hidden@$address/a.zst"
grep -qF "hidden-token	Basic $(basic user:hidden)	hidden-second" web.log || fail "$(cat web.log)"
got "$url/a.zst"
grep -qF "Basic $(basic netrc-user:hidden-netrc)" web.log || fail "$(cat web.log)"
for target in "http://127.0.0.1:$elsewhere/a.zst" "http://localhost:$elsewhere/a.zst" "//127.0.0.1:$elsewhere/a.zst" \
    "http://$address@127.0.0.1:$elsewhere/a.zst" "http://localhost:$port/a.zst"; do
    got "http://user:hidden@$address/~redirect=${target//\//%2F}/a.zst"
    [ -s other.log ] || [[ $target == *:$port* ]] || fail "not redirected"
    [ ! -s other.log ] || grep -qF 206 other.log
    if [ -s other.log ]; then goes_to_none other; else
        # The same machine by another name is another server.
        awk -F '\t' -v secrets="$secrets" '$2 !~ /~/ && $0 ~ secrets { exit 1 }' web.log || fail "$(cat web.log)"
    fi
    got "$url/~redirect=${target//\//%2F}/a.zst"
    goes_to_none other
done
requests other >/dev/null
works "$SLUICE" -dcq --no-sandbox "s3://~redirect=http%3A%2F%2Flocalhost%3A$elsewhere%2Fa.zst/a.zst" >got || true
goes_to_none other
# A server that redirects to itself gets them again, as relative and as a whole URL.
for target in /a.zst "$url/a.zst"; do
    got "http://user:hidden@$address/~redirect=${target//\//%2F}/a.zst"
    awk -F '\t' -v basic="Basic $(basic user:hidden)" '$7 != "hidden-token" || $8 != basic { exit 1 }' web.log || fail "$(cat web.log)"
done
# A file of lines that is too long is not cut.
perl -e 'print "X-Token: hidden-token\nX-Long: ", "a" x 70000, "\n"' >long
fails "$SLUICE" -dcq --http-header=@long "$url/a.zst"
