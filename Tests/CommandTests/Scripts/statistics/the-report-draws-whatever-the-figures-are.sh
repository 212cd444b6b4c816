needs node
. "$SCRIPTS/statistics/tools.bash"
corpus text 40M >a
works "$SLUICE" -B1M a --report=compress.html
works "$SLUICE" -d a.zst -o b --report=decompress.html
works "$SLUICE" -t a.zst --report=test.html
works "$SLUICE" --copy b -o c --report=copy.html
: >empty
works "$SLUICE" empty --report=empty.html
fails "$SLUICE" missing --report=failed.html
# shows PAGE WORDS [CHANGES], shows_no PAGE PATTERN [CHANGES]
shows() {
    drawn "$1" "${@:3}" >drawing
    grep -qF -- "$2" drawing || fail "no $2 in $1"
}
shows_no() {
    drawn "$1" "${@:3}" >drawing
    if grep -E -- "$2" drawing; then fail "$2 in $1"; fi
}
drawings() { drawn "$1" "${@:2}" | grep -c '<svg'; }
[ "$(drawings compress.html)$(drawings decompress.html)$(drawings test.html)$(drawings copy.html)" = 4443 ]
# The sides of a run: a check has no output, and a ratio is that of the content.
shows decompress.html '<li class="out">write</li>'
shows_no test.html 'class="out"'
ratio=$(drawn compress.html | grep -oE '>[0-9.]+x<')
shows decompress.html "$ratio"
shows_no copy.html '>ratio'
# The flush to the disk has a curve, however long it takes: where files are synced, and where they get a name only.
shows compress.html '<li class="sync">sync</li>'
shows compress.html 'and flushing it to the disk.'
works "$SLUICE" -f --no-sync a --report=named.html
shows named.html '<li class="sync">name</li>'
shows_no test.html 'class="sync"'
# The headings are words of the page.
headings=$(drawn compress.html | grep -oE '<h2[^>]*>[^<]*' | sed 's/.*>//' | paste -sd ,)
[ "$headings" = 'Throughput,Slots in use,Utilisation of each stage,Compression ratio along the input,What the stages did,Process,What was run' ] || fail "$headings"
# Numbers have separators; figures and diagrams of nothing are left out.
shows compress.html '>1,234,567</data>' 'statistics.process.minorPageFaults = 1234567'
shows compress.html '<h1>compress 12,345 files</h1>' 'statistics.run.inputCount = 12345'
shows_no test.html '<dt>out<'
shows_no failed.html '<dt>(busy|slots)|<svg'
# The steps are told.
shows compress.html ' A step is 1.00 MiB of the input.'
shows compress.html ' A step is 40 ms.' 'statistics.elapsedSeconds = 2'
shows compress.html ' A step is 1.28 s.' 'statistics.elapsedSeconds = 70'
shows compress.html ' A step is 21.85 min.' 'statistics.elapsedSeconds = 40000'
shows_no compress.html 'A step is [0-9]+ ms' 'statistics.elapsedSeconds = 0.01'
# Ticks are few and round.
ticks() { drawn compress.html "statistics.slots = $1" | sed -n '/id="slots-title"/,/figure>/s/.*<text class="left" x="49"[^>]*>\(.*\)<.*/\1/p' | xargs; }
[ "$(ticks 1)" = '0 0.2 0.4 0.6 0.8 1.0' ] || fail "$(ticks 1)"
[ "$(ticks 7)" = '0 2 4 6 8' ] || fail "$(ticks 7)"
[ "$(ticks 240)" = '0 50 100 150 200 250' ] || fail "$(ticks 240)"
# A wide range has powers of ten.
shows compress.html ' The scale is logarithmic.' 'course.series.result.sums[3] = 100'
shows compress.html '>10,000</text>' 'course.series.result.sums[3] = 100'
# Names and messages are text, whatever they are like.
shows compress.html '<h1>compress &#60;script&#62;&#38;&#34;&#39;\u{1b}</h1>' 'statistics.run.inputs = ["<script>&\"\u0027\u001b"]'
shows failed.html 'failed: missing: can&#39;t open: no such file or directory'
shows failed.html '<h1>compress missing: failed</h1>'
# A number that is none, or larger than any, leaves the page as it is.
shows empty.html 'Utilisation'
figures='statistics.bytesIn = statistics.contentBytesPerSecond = statistics.slots = statistics.workers
    = statistics.stages[0].busySeconds = statistics.process.userSeconds = statistics.elapsedSeconds'
series='for (const series of Object.values(course.series)) series.sums'
for number in 0 1e-9 0.02 1e9 1e300 -1 '"inf"' '"nan"'; do
    changes="$figures = $number"
    # A series has numbers only.
    [[ $number == *\"* ]] || changes+="; $series = [1, $number]"
    shows_no compress.html '>[^<]*(NaN|Infinity|undefined)|"[^"]*NaN' "$changes"
    [ "$(size drawing)" -lt 60000 ] || fail "$number"
done
shows_no compress.html '(NaN|Infinity|undefined)' "$series = []"
