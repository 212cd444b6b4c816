corpus random 8M >a
"$SLUICE" -c a >a.zst
mkfifo data
for words in '-B1M -c a' '-dc a.zst' '--single-frame -c a'; do
    for signal in INT TERM; do
        # shellcheck disable=SC2086
        spawn status "$SLUICE" $words >data &
        exec 7<data
        pid status >/dev/null
        sleep 0.4
        since=$(now)
        kill -$signal "$(pid status)"
        ended status SIG$signal 1 "$since"
        exec 7<&-
        rm status*
    done
done
