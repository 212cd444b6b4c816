# Whichever call it comes in: what was there before stays, or the output is whole.
corpus text 100K >a
"$SLUICE" -q -c a >whole
"$SLUICE" -q -c a >b.zst
signals=(INT TERM HUP)
turn=0
for call in write fsync linkat rename,renameat,renameat2 unlinkat; do
    for words in 'a' '-f a' '-f --rm a' '-d b.zst'; do
        for named in '' '-e inject=access,faccessat:error=ENOENT'; do
            signal=${signals[turn++ % 3]}
            rm -f a.zst b
            case $words in -f*) echo old >a.zst ;; esac
            # shellcheck disable=SC2086
            spawn status strace -D -f -qq -o "$LOGS/strace" -e trace=$call,access,faccessat \
                -e "inject=$call:delay_enter=150000" $named "$SLUICE" -q $words 2>"$messages" &
            pid status >/dev/null
            sleep 0.1
            kill -$signal "$(pid status)" 2>/dev/null || true
            await test -s status.time
            case $(cat status) in
            0 | SIG$signal) ;;
            *) fail "$words $call: ended with $(cat status)" ;;
            esac
            if grep -v '^strace: ' "$messages"; then fail 'not silent'; fi
            no_leftovers
            if [ -e a.zst ] && [ "$(head -c 3 a.zst)" != old ]; then same a.zst whole; fi
            if [ ! -e a ]; then
                same a.zst whole
                corpus text 100K >a
            fi
            if [ -e b ]; then same b a; fi
            wait
            rm status*
        done
    done
done
