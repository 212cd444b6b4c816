needs node strace
. "$SCRIPTS/statistics/tools.bash"
needs_schema
corpus text 3M >a
cp a b
works "$SLUICE" -7 -T2 -B1M --no-check --read=workers --rm --no-sync a b --stats-file=json --report=page.html
check json 'run["inputs"] == ["a", "b"] and run["inputCount"] == 2 and run["outputs"] == ["a.zst", "b.zst"]' \
    'run["level"] == 7 and run["threads"] == 2 and run["frameSizeBytes"] == 1 << 20' 'not run["checksum"] and not run["sync"]' \
    'run["reading"] == "workers" and run["removesSources"] and not run["singleFrame"]' \
    '"rateLimitBytesPerSecond" not in run and "bufferBytes" not in run and "windowLimitBytes" not in run' \
    "run['sluiceVersion'] in '$("$SLUICE" --version)' and run['libzstdVersion'] in '$("$SLUICE" --version)'" \
    "run['machine']['cpus'] == $("$SLUICE" -v -c b.zst 2>&1 >/dev/null | grep -oE '[0-9]+ workers?,' | grep -oE '[0-9]+')" \
    "run['machine']['kernel'].startswith('$(uname -sr)')"
drawn page.html >drawing
for words in '<dt>from</dt><dd>a, b<' '<dt>to</dt><dd>a.zst, b.zst<' '<dt>level</dt><dd>7<' '<dt>frames of</dt><dd>1.00 MiB<' \
    '<dt>checksums</dt><dd>no<' '<dt>waits for the disk</dt><dd>no<' '<time datetime="20'; do
    grep -qF "$words" drawing || fail "no $words"
done
works "$SLUICE" -d --limit-rate=100M --buffer=8M --buffer-start=50 -M256M -o c <a.zst --stats-file=json -f --report=page.html
check json 'run["inputs"] == ["standard input"] and run["outputs"] == ["c"]' 'run["windowLimitBytes"] == 256 << 20 and run["sync"]' \
    'run["rateLimitBytesPerSecond"] == 100 << 20 and run["bufferBytes"] == 8 << 20 and run["bufferStart"] == 0.5' \
    '"level" not in run and "checksum" not in run'
drawn page.html >drawing
grep -qF '<dt>rate limit, of compressed bytes</dt><dd>100 MiB/s<' drawing
if grep -qE '<dt>(level|checksums|buffer of)</dt>' drawing; then fail 'what was not asked for'; fi
works "$SLUICE" --long=20 c -c --stats-file=json -f >/dev/null
check json 'run["singleFrame"] and run["longWindowBytes"] == 1 << 20 and run["outputs"] == ["standard output"]' \
    '"frameSizeBytes" not in run and "sync" not in run'
works "$SLUICE" --flush-interval=0.5 --stats-file=json -f <c >/dev/null
check json 'run["flushIntervalSeconds"] == 0.5'
# Of many names the first hundred are told.
for n in {1..120}; do echo $n >$n; done
works "$SLUICE" {1..120} --stats-file=json -f --report=page.html
check json 'run["inputCount"] == 120 and len(run["inputs"]) == len(run["outputs"]) == 100'
drawn page.html >drawing
grep -qF '<h1>compress 120 files</h1>' drawing
grep -qF '1, 2, 3, 4, 5 and 115 more' drawing
# The date is in local time, with its offset.
TZ=IST-5:30 works "$SLUICE" -t a.zst --stats-file=json -f
check json 'run["date"].endswith("+05:30")'
# What tells the system's name is open to a process that is confined.
if [ -e /etc/os-release ]; then
    works "$SLUICE" -q -t a.zst --stats-file=json -f
    check json '"system" in run["machine"]'
fi
# Where /proc and /etc/os-release can't be read, the machine has less to say.
strace -D -f -qq -o /dev/null -P /proc/cpuinfo -P /etc/os-release -e inject=openat:error=ENOENT "$SLUICE" -t a.zst --stats-file=json -f \
    --report=page.html 2>/dev/null
check json '"cpuModel" not in run["machine"] and "system" not in run["machine"]' 'run["machine"]["cpus"] >= 1'
drawn page.html | grep '<dt>machine</dt>' >&9
corpus text 10K >c
works "$SLUICE" --max --stats-file=strongest.json c
check strongest.json 'run["level"] == 22 and run["longWindowBytes"] == 1 << 31'
