# Nobody opens the other end.
mkfifo data
for words in '-c data' '-o out data' '-o data out.kept'; do
    echo kept >out.kept
    # shellcheck disable=SC2086
    spawn status "$SLUICE" $words >standard &
    pid status >/dev/null
    sleep 0.3
    since=$(now)
    kill -TERM "$(pid status)"
    ended status SIGTERM 1 "$since"
    absent out
    [ -e out.kept ]
    rm status*
done
no_leftovers
