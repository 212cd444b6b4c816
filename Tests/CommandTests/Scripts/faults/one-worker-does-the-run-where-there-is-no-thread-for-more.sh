# However few processes a user may have: what one worker can do is done with any number of them.
corpus text 9M >data
mkdir -m 777 out
chmod 644 data
zstd -q1 data -o data.zst
chmod 644 data.zst
# limited COUNT WORDS...: as a user who has nothing else.
limited() {
    local count=$1
    shift
    prlimit --nproc="$count" setpriv --reuid=64999 --regid=64999 --clear-groups -- "$SLUICE" "$@"
}
for words in "-B256K data" "-dc data.zst" "-19 --single-frame -B1M data"; do
    done=0
    for count in {3..20}; do
        code=0
        # shellcheck disable=SC2086
        limited "$count" -fqT1 $words -o out/one 2>"$messages" || code=$?
        [ $code = 0 ] || continue
        done=$((done + 1))
        # A worker more may take the thread that Dispatch would read or write with.
        # shellcheck disable=SC2086
        works limited "$((count + 2))" -fqT2 $words -o out/many
        # One frame is the same from two threads of libzstd's on.
        [[ $words == *single* ]] || same out/one out/many
    done
    [ $done -gt 2 ] || fail "$words: hardly ever done"
done
