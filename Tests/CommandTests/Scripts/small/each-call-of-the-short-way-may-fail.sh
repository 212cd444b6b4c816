# Exit 0 and the whole output, or exit 1, a sentence, and what was there before: whichever call it is that fails.
needs strace
corpus text 100K >plain
"$SLUICE" -q -c plain >packed
cp plain packed "$LOGS/"
for call in read:EIO read:EINTR write:EIO write:ENOSPC write:EDQUOT write:EINTR openat:EMFILE openat:EACCES lseek:EIO poll:ENOMEM \
    ioctl:EIO fsync:EIO linkat:EIO fstat,newfstatat:EIO landlock_restrict_self:EPERM flistxattr:EIO dup:EMFILE; do
    for words in '--rm plain -o out' '-d packed -o out' '-d -c packed'; do
        for when in $(seq 40); do
            rm -f out standard
            code=0
            # shellcheck disable=SC2086
            strace -f --seccomp-bpf -qq -o "$LOGS/strace" -e "trace=${call%:*}" -e "inject=${call%:*}:error=${call#*:}:when=$when" \
                "$SLUICE" -q $words >standard 2>"$messages" || code=$?
            whole=packed
            case $words in -d*) whole=plain ;; esac
            case $code in
            0)
                case $words in
                *out) same out "$LOGS/$whole" ;;
                *) same standard plain ;;
                esac
                ;;
            1)
                # After it has its name only the folder could not be synced, or the source not be removed.
                if [ -e out ]; then
                    same out "$LOGS/$whole"
                    grep -qE 'sync|remove' "$messages" || fail "made, and failed: $(cat "$messages")"
                fi
                [ -s "$messages" ] || fail "without a word: $words ${call} $when"
                [ ! -s standard ] || prefix_of standard "$LOGS/plain"
                ;;
            # The dynamic loader's own call.
            127) ;;
            *) fail "$words: $call $when: exit code $code" ;;
            esac
            if [ ! -e plain ]; then
                same out "$LOGS/packed"
                cp "$LOGS/plain" .
            fi
            if compgen -G '.*.tmp' >&9; then fail "left behind: $words: $call $when"; fi
            [[ $(<"$LOGS/strace") == *INJECTED* ]] || break
        done
    done
done
