needs node
. "$SCRIPTS/statistics/tools.bash"
needs_schema
corpus random 20M >a
spawn end "$SLUICE" -B1M --limit-rate=4M a --stats-file=json --report=report.html --trace=trace &
pid=$(pid end)
sleep 1.5
kill -INT "$pid"
ended end SIGINT
check json 'outcome == "interrupted"' 'files == 0 and failedFiles == 1' '1 << 20 < bytesIn < 12 << 20' 'elapsedSeconds > 1' \
    'bytesOut > 0' 'error == verdict == "interrupted by SIGINT"'
drawn report.html | grep '<h1>compress a: interrupted</h1>' >&9
python -m json.tool trace >/dev/null
absent a.zst
no_leftovers
# Workers in the middle of a large frame are not waited for.
corpus text 24M >b
spawn end "$SLUICE" -19 -B16M missing b --stats-file=busy
pid=$(pid end)
temporary >/dev/null
sleep 0.5
kill -TERM "$pid"
ended end SIGTERM
check busy 'outcome == "interrupted"' 'files == 0 and failedFiles == 2' \
    'error.startswith("interrupted by SIGTERM; missing: ") and error.endswith("; 2 of 2 files are not complete")'
absent b.zst
no_leftovers
# A join whose reader takes nothing.
for part in 1 2; do works "$SLUICE" -q --part=$part/2 a -o part.$part; done
mkfifo pipe
exec {reader}<>pipe
spawn end "$SLUICE" -q --join part.1 part.2 -c --stats-file=joining >pipe &
pid=$(pid end)
sleep 0.5
kill -HUP "$pid"
ended end SIGHUP
check joining 'outcome == "interrupted"' 'error == "interrupted by SIGHUP"'
