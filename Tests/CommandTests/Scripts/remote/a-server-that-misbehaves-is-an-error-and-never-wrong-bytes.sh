# Whatever a server answers: the bytes are right, or the run fails with a sentence, without output.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web
corpus random 2M >plain
works "$SLUICE" -q -B128K plain -o web/a.zst
full=$(size web/a.zst)
serve web

# never WORDS SENTENCE: with a server that does this, all commands fail with these words, and make nothing.
never() {
    local -
    set +x
    local command
    for command in -d '-d --offset=1M --length=5' -t -l; do
        asking "$1" a.zst
        # shellcheck disable=SC2086  # several words
        fails timeout 60 "$SLUICE" -q --timeout=2 $command "$asked"
        says "$url/"
        says "$2"
        if grep -q '[[:cntrl:]]' "$messages"; then fail "control characters: $(cat -v "$messages")"; fi
        absent a
    done
    no_leftovers
}
# alright WORDS: with a server that does this, the bytes are right.
alright() {
    local -
    set +x
    asking "$1" a.zst
    works timeout 60 "$SLUICE" -dqf --timeout=2 "$asked"
    same a plain
    rm a
}
# What is no answer to the question.
never "set=Content-Range:bytes%200-65535/$full" 'other bytes'
never "set=Content-Range:bytes%201-9/x" 'other bytes'
never 'drop=Content-Range' 'does not say of how many'
never "set=Content-Range:bytes%200-18446744073709551613/18446744073709551615" 'other bytes'
# The first answer is right, the others are not.
for words in "-d" "-d --length=5"; do
    for misdeed in "set=Content-Range:bytes%200-9/$full" "set=Content-Range:bytes%200-9/9" no-ranges more=10 \
        "set=Content-Length:5" "set=Content-Length:99999999999" set=Content-Encoding:gzip 'status=204' 'status=304' grown; do
        asking "from=2&$misdeed" a.zst
        # shellcheck disable=SC2086  # several words
        fails timeout 60 "$SLUICE" -q $words --timeout=1 "$asked"
        absent a
    done
done
never 'set=Content-Encoding:gzip' 'encoded, as gzip'
never 'set=Content-Encoding:%1B[31m' 'encoded, as '
never 'set=Content-Encoding:gzip&no-ranges' 'encoded, as gzip'
never 'headers=endless' 'header'
never 'headers=line' 'header'
# Statuses that stay.
never status=401 '(status 401)'
says '~/.netrc'
says '--http-header'
never status=403 '(status 403)'
never status=404 '(status 404)'
never status=410 '(status 410)'
never status=416 '(status 416)'
never status=418 'status 418'
# An object store says why; a word of it is repeated, and nothing else.
never 'status=400&code=ExpiredToken' 'the server refuses the keys (status 400, ExpiredToken)'
never 'status=403&code=RequestTimeTooSkewed' '(status 403, RequestTimeTooSkewed)'
never 'status=403&code=%1B[31m' '(status 403)'
never 'status=403&code=two%20words' '(status 403)'
never 'status=301&set=x-amz-bucket-region:%1B[31m' 'region'
never "redirect=/~status%3D404/a.zst" '(status 404)'
# Redirections.
never 'redirect=/~redirect%3D%252Fnone/a.zst' 'status 404'
never 'redirect=file:///etc/passwd' 'other than a URL of HTTP'
never 'redirect=ftp://127.0.0.1/a.zst' 'other than a URL of HTTP'
never 'redirect=gopher://127.0.0.1/a.zst' 'other than a URL of HTTP'
never 'redirect=http:///' 'other than a URL of HTTP'
fails "$SLUICE" -dq "$url/~redirect=a.zst/a.zst"
says 'redirects without end'
alright 'redirect=/a.zst'
alright 'redirect=../a.zst'
alright "redirect=$url/a.zst"
alright "redirect=//127.0.0.1:$port/a.zst"
# Ten are followed.
chain=$url/a.zst
for _ in {1..10}; do chain=$url/~redirect=$(perl -pe 's/([^\w.])/sprintf "%%%02X", ord $1/ge' <<<"$chain" | sed 's/%0A$//')/a.zst; done
works "$SLUICE" -dqc "$chain" >got
same got plain
# A place that a server redirects to may be valid for a while only; it is asked once more where it is now.
alright "redirect=%2F~from%3D4%26status%3D403%26times%3D1%2Fa.zst"
# What is unusual, but right.
alright 'drop=ETag'
alright 'etag=W/"1"'
alright 'drop=ETag&drop=Last-Modified'
asking 'drop=ETag&drop=Last-Modified' a.zst
works "$SLUICE" -dc "$asked" >got
says 'neither ETag nor Last-Modified'
alright 'chunked'
alright 'trailer'
alright 'no-suffix=416'
alright 'no-suffix=400'
alright 'no-suffix=501'
alright 'no-suffix=200&no-ranges'
alright 'drop=Accept-Ranges'
# Without ranges, all of it is read in order, also for a part (servers.txt), but for shares.
for words in no-ranges 'no-ranges&chunked' 'no-ranges&trailer' 'no-ranges&drop=Content-Length'; do
    alright "$words"
    works "$SLUICE" -tq "$url/~$words/a.zst"
    works "$SLUICE" -dcq --offset=1M --length=5 "$url/~$words/a.zst" >got
    cmp got <(tail -c +1048577 plain | head -c 5)
    for command in '-d --part=1/2' '-d --recover' '-d --tail=5 --index=i'; do
        # shellcheck disable=SC2086  # several words
        fails "$SLUICE" -q $command "$url/~$words/a.zst"
        says 'does not answer requests for ranges'
        absent a
    done
    fails "$SLUICE" -dcq --member=x "$url/~$words/a.zst"
    says 'not a tar archive'
done
fails "$SLUICE" -dq "$url/~no-ranges&from=2&set=Content-Encoding:gzip/a.zst"
fails "$SLUICE" -dq "$url/~no-ranges&short=1000000/a.zst"
says 'the connection broke after '
fails "$SLUICE" -q "$url/~no-ranges&short=1000000/a.zst"
absent a a.zst.zst
no_leftovers
# What one file does is nothing to the others.
printf 'damage' | dd of=web/a.zst bs=1 seek=900000 conv=notrunc status=none
corpus text 1M >web/b
works "$SLUICE" -q web/b
fails "$SLUICE" -dq "$url/a.zst" "$url/none.zst" "$url/~no-ranges/a.zst" "$url/b.zst"
says "$url/none.zst: "
same b web/b
fails "$SLUICE" -tq "$url/a.zst" "$url/~no-ranges/a.zst" "$url/none.zst"
says "$url/none.zst: "
