corpus random 100K >a
"$SLUICE" -c a >a.zst
mkfifo data
for signal in INT TERM HUP; do
    for words in '' '-o out' '-d -o out' '-t' '-d' '--single-frame -o out' '--flush-interval=5'; do
        for first in 0 1000; do
            # shellcheck disable=SC2086
            spawn status "$SLUICE" $words <data >standard 2>"$messages" &
            exec 8>data
            head -c $first a.zst >&8
            # It must have got as far as to wait.
            pid status >/dev/null
            sleep 0.1
            since=$(now)
            kill -$signal "$(pid status)"
            ended status SIG$signal 1 "$since"
            exec 8>&-
            absent out
            no_leftovers
            rm status*
        done
    done
done
