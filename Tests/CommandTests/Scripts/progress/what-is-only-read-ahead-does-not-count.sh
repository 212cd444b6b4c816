# At a high level, with data that compresses slowly, the whole file is read long before the first frame is done.
head -c 24M /dev/urandom | base64 -w0 >a
"$SLUICE" -19 -T2 -q --progress=json a -c 2>lines >/dev/null &
sleep 2.5
kill -TERM $!
wait $! || :
perl -ne '/"bytesIn":(\d+)/ and $in = $1; /"bytesDone":(\d+)/ and $done = $1; /"remainingSeconds":([\d.]+)/ and $left = $1;
    END { exit !($in == (-s "a") && $done < $in && (!defined $left || $left > 1)) }' <(head -n 2 lines) ||
    fail "$(head -n 2 lines)"
# A slow producer sets the pace itself: what it has sent counts.
(head -c 3M a; sleep 2.5; head -c 1M a) | "$SLUICE" -q --progress=json --stream-size=4M -c 2>lines >/dev/null
perl -ne '/"bytesDone":(\d+)/ or exit 1; exit !($1 == 3 << 20)' <(head -n 1 lines) || fail "$(head -n 1 lines)"
