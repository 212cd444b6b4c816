# Exit 0 and the whole file, or exit 1 and what was there before: whichever call it is that fails.
needs strace
corpus text 300K >a
"$SLUICE" -c a >whole
for call in fsync:EIO rename,renameat,renameat2:EIO rename,renameat,renameat2:EROFS statfs:EIO linkat:EIO linkat:ENOENT dup:EMFILE \
    access,faccessat:ENOENT close:EIO fchown:EPERM fchmod:EPERM \
    utimensat:EPERM fstat,newfstatat:EIO getrandom:ENOSYS ftruncate,fallocate,sync_file_range:EIO; do
    for when in 1 2 3 4 5 6 7 8 9 10; do
        for old in old ''; do
            rm -f out
            [ -z "$old" ] || echo old >out
            code=0
            strace -f --seccomp-bpf -qq -o "$LOGS/strace" -e "trace=${call%:*}" -e "inject=${call%:*}:error=${call#*:}:when=$when" \
                "$SLUICE" -qf a -o out 2>"$messages" || code=$?
            case $code in
            0) same out whole ;;
            1)
                # After the rename only the folder could not be synced.
                if [ -n "$old" ] && [ "$(head -c 3 out)" = old ]; then :; elif [ -e out ]; then same out whole; says sync; fi
                [ -s "$messages" ]
                ;;
            127) [ "$when" -lt 10 ] ;; # the dynamic loader's own call
            *) fail "$call $when: exit code $code" ;;
            esac
            no_leftovers
        done
        # There were not so many calls.
        grep -q INJECTED "$LOGS/strace" || break
    done
done
