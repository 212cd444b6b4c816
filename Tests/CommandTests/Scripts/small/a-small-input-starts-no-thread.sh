# A file, what is redirected, or a pipe whose writer has gone: no thread, no channel, and no look at what memory is left.
corpus text 100K >a
"$SLUICE" -q a
traced() { strace -f -qq -o "$LOGS/calls" "$SLUICE" "$@"; }
short() {
    rm -f b
    traced -q "$@" >out
    if grep -E ' (clone3?|epoll_[a-z0-9]+)\(|/meminfo"' "$LOGS/calls" >&9; then fail "not the short way: $*"; fi
}
for words in 'a -o b' '-c a' '-d a.zst -o b' '-d -c a.zst' '-t a.zst' '-d -c --rm a.zst' '-M64M a -o b' '--hash a -o b' \
    '--verify a -o b' '--no-sync a -o b' '-19 -T4 a -o b'; do
    # shellcheck disable=SC2086
    short $words
done
# Without a limit of memory it does not matter how many processors there are.
for words in 'a -o b' '-c a' '-d a.zst -o b' '-t a.zst'; do
    # shellcheck disable=SC2086
    short $words
    if grep cgroup "$LOGS/calls" | grep -v PATH >&9; then fail "the processors were counted: $words"; fi
done
short <a
short -d <a.zst
head -c 60000 a >part
"$SLUICE" -q part
for input in part part.zst; do
    # The pipe holds all of it, and nobody can write to it any more.
    mkfifo held
    exec 7<>held 8<held
    cat $input >&7
    exec 7>&-
    rm held
    if [ $input = part ]; then short <&8; else short -d <&8; fi
    exec 8<&-
done
same out part
# Little of a large archive is little.
corpus text 60M >big
tar -cf many.tar a big part
"$SLUICE" -q --members many.tar
for words in '--member=a many.tar.zst -o b' '--member=part --as-tar -c many.tar.zst' '--member=part -c'; do
    # shellcheck disable=SC2086
    short -d $words <many.tar.zst
done
same out part
# What is larger, or watched, has workers.
corpus text 9M >large
for words in 'large -o b' '-v a -o b' '--stats a -o b' '--progress=plain a -o b' '--limit-rate=1G a -o b'; do
    # shellcheck disable=SC2086
    traced -f $words 2>"$messages"
    grep -qE ' clone3?\(' "$LOGS/calls" || fail "no thread: $words"
done
