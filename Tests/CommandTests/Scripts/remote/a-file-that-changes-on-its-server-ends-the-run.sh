# A file that is replaced while it is read is an error: bytes of two versions are never mixed.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web
corpus random 9M >web/plain
works "$SLUICE" -q -B128K web/plain
serve web
rounds='2 3 4'
! is_long || rounds='2 3 4 5'
for first in $rounds; do
    # The server tells by If-Match, by another tag, by another date only, or by the size only.
    for change in changed 'changed&no-match' 'changed&drop=ETag&set=Last-Modified:x' 'grown&no-match' \
        'changed&no-match&etag=W/"2"' 'status=412' 'status=416'; do
        for words in -d -z '-d --offset=10 --length=8M'; do
            file=plain.zst
            [ "$words" != -z ] || file=plain
            asking "from=$first&$change" $file
            # shellcheck disable=SC2086  # several words
            fails "$SLUICE" -q $words "$asked"
            says 'the file on the server has changed since it was opened'
            absent plain plain.zst plain.zst.zst
            no_leftovers
        done
    done
done
# It becomes shorter, or vanishes.
for first in $rounds; do
    asking "from=$first&status=404" plain.zst
    fails "$SLUICE" -dq "$asked"
    says '(status 404)'
    absent plain
done
# A reference that changes is not compared with.
fails "$SLUICE" -tq --against="$url/~from=2&changed/plain" web/plain.zst
says "plain: the file on the server has changed"
# If-Match goes with each request but the first, with a strong tag only.
requests web >/dev/null
cp web/plain.zst web/strong.zst
works "$SLUICE" -tq "$url/strong.zst"
awk -F '\t' 'NR == 1 && $6 != "-" || NR > 1 && $6 !~ /^"/ { exit 1 }' web.log || fail "$(cat web.log)"
requests web >/dev/null
works "$SLUICE" -tq "$url/~etag=W%2F%221%22/strong.zst"
awk -F '\t' '$6 != "-" { exit 1 }' web.log || fail "$(cat web.log)"
