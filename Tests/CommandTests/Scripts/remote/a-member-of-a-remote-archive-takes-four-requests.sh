# What is not needed is not asked for: a member of an archive takes four requests; a listing takes two round trips, the
# second of which asks for the headers that confirm the table.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web tree
for number in {1..300}; do head -c 100K /dev/urandom >"tree/$number"; done
tar cf tree.tar tree
works "$SLUICE" -q -B1M --members tree.tar -o web/tree.tar.zst
works "$SLUICE" -q -B16K tree.tar -o web/small-frames.zst
# No two frames have the same size, as in most archives.
mkdir sizes
for number in {100..300}; do head -c $((number * 1000)) /dev/urandom >"sizes/$number"; done
tar cf sizes.tar sizes
works "$SLUICE" -q -B256K --members sizes.tar -o web/sizes.tar.zst
full=$(size web/tree.tar.zst)
serve web

# costs REQUESTS BYTES WORDS...: a run makes at most so many requests, which are answered with so many bytes.
costs() {
    local -
    set +x
    local most=$1 room=$2 count=none bytes
    shift 2
    # What an earlier run was answered may be noted late.
    until [ "$(size web.log)" = "$count" ]; do
        count=$(size web.log)
        sleep 0.1
    done
    requests web >/dev/null
    works "$SLUICE" -q "$@" >got
    read -r count bytes < <(requests web)
    [ "$count" -le "$most" ] || fail "$count requests instead of $most: $*"
    [ "$bytes" -le "$room" ] || fail "$bytes bytes instead of $room: $*"
}
# Of frames of many sizes, eight headers are looked at.
for archive in tree sizes; do
    costs 9 300000 -l "$url/$archive.tar.zst"
    cmp <("$SLUICE" -l --json "web/$archive.tar.zst" | grep -v '"name"') \
        <("$SLUICE" -l --json "$url/$archive.tar.zst" | grep -v '"name"')
done
costs 4 400000 -l "$url/small-frames.zst"
costs 3 400000 -l --members "$url/tree.tar.zst"
[ "$(grep -c . got)" -ge 300 ] || fail "$(cat got)"
costs 4 2600000 -dc --member=tree/150 "$url/tree.tar.zst"
same got tree/150
costs 4 2600000 -dc --member=tree/300 "$url/tree.tar.zst"
same got tree/300
costs 12 2400000 -dc --offset=20M --length=10 "$url/tree.tar.zst"
cmp got <(tail -c +20971521 tree.tar | head -c 10)
costs 5 200000 -dc --offset=20M --length=10 "$url/small-frames.zst"
costs 12 1600000 -dc --tail=1 "$url/tree.tar.zst"
costs 16 3600000 -dc --range=0-0 --range=20000000-20000001 --range=-1 "$url/tree.tar.zst"
# Of everything nothing is asked for twice, and a table at the end not at all.
costs 40 $((full + 66000)) -dc "$url/tree.tar.zst"
same got tree.tar
costs 30 $((full / 3 + 3200000)) -dc --part=2/3 "$url/tree.tar.zst"
# A server without ranges begins to send all of it, which is only then asked for: a connection holds some of that.
costs 2 $((full + 8000000)) -dc "$url/~no-ranges/tree.tar.zst"
same got tree.tar
# A small file is one answer.
corpus text 5K >web/small
zstd -qc web/small >web/small.zst
costs 1 6000 -dc "$url/small.zst"
costs 1 6000 -c "$url/small"
costs 1 6000 -l "$url/small.zst"
