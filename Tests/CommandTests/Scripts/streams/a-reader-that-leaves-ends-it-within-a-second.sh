# At once, after the first byte, and while the pipe is full and nothing is read.
corpus random 24M >a
"$SLUICE" -c -B1M a >a.zst
zstd -q -c a >one.zst
mkfifo data
for words in '-B1M -c a' '-dc a.zst' '-dc one.zst' '--single-frame -1 -c a' '-B1M -c -' '-dc -'; do
    for reader in 'true' 'head -c 1' 'sleep 0.7'; do
        input=a
        [ "$words" != '-dc -' ] || input=a.zst
        # shellcheck disable=SC2086
        (cat $input | spawn status "$SLUICE" $words >data 2>"$messages") 2>/dev/null &
        $reader <data >read
        left=$(now)
        ended status SIGPIPE 1.5 "$left"
        silent
        wait $! || true
        rm status*
    done
done
