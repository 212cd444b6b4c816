# A file, what is redirected, or a pipe whose writer has gone: no thread, no channel, and no look at what memory is left.
corpus text 300K >a
"$SLUICE" -q a

for words in 'a -o b' '-c a' '-d a.zst -o b' '-d -c a.zst' '-t a.zst' '-' '-d -c --rm a.zst' '-M64M a -o b' \
    '--hash a -o b' '--verify a -o b' '--no-sync a -o b' '-19 -T4 a -o b'; do
    for kind in file pipe; do
        case $words$kind in
        -file) input=a ;;
        *file) input=/dev/null ;;
        -pipe) input=a ;;
        *pipe) continue ;;
        esac
        rm -f b
        if [ $kind = pipe ]; then
            # The pipe holds all of it, and its writer has ended.
            mkfifo held
            exec 7<>held 8<held
            head -c 60000 $input >&7
            exec 7>&-
            strace -f -qq -o calls "$SLUICE" -q $words <&8 >out
            exec 8<&-
            rm held
        else
            # shellcheck disable=SC2086
            strace -f -qq -o calls "$SLUICE" -q $words <$input >out
        fi
        if grep -E 'clone|meminfo|epoll' calls >&9; then fail "not the short way: $words from a $kind"; fi
    done
done
# What is larger, or watched, still has workers.
corpus text 9M >large
for words in 'large -o b' '-v a -o b' '--stats a -o b' '--progress=plain a -o b' '--limit-rate=1G a -o b'; do
    # shellcheck disable=SC2086
    strace -f -qq -o calls "$SLUICE" -f $words 2>"$messages"
    grep -q clone calls || fail "no thread: $words"
done
