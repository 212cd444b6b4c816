# Long: it needs a browser.
. "$SCRIPTS/statistics/tools.bash"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip 'chromium is not installed'
{ corpus text 20M; corpus random 10M; corpus text 10M; } >'a <b>&"c".tar'
works "$SLUICE" -B1M 'a <b>&"c".tar' --report=page.html --stats-file=json
[ "$(size page.html)" -lt 100000 ]
# No reference leads out of the page.
if grep -oE '(https?:|file:|src=|url\(|@import)[^ >]*' page.html; then fail 'references'; fi
fails "$SLUICE" missing --report=failed.html

# render PAGE: prints the document as the browser understood it, which must have had nothing to complain about.
render() {
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr --v=0 --user-data-dir="$PWD/profile" \
        --window-size=390,2400 --dump-dom "file://$PWD/$1" 2>log || fail "the browser failed: $(tail -n 5 log)"
    if grep -E 'CONSOLE|Uncaught|net::ERR' log >&9; then fail "complaints about $1"; fi
}
# It measures itself: nothing may be wider than the screen.
{
    cat page.html
    echo '<script>addEventListener("DOMContentLoaded", () => {'
    echo 'document.title = document.documentElement.scrollWidth <= innerWidth ? "fits" : "too wide" })</script>'
} >measured.html
render measured.html >dom
grep -q '<title>fits</title>' dom || fail 'wider than a phone'
cat >check.py <<'P'
import html.parser, json, re
class Page(html.parser.HTMLParser):
    figures, rows, row, inside, json, images = {}, {}, None, None, "", 0
    title = ""
    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.inside = attributes.get("id") if tag == "script" else tag
        if tag == "tr": self.row = self.rows.setdefault(attributes.get("id"), [])
        if tag == "svg":
            self.images += 1
            assert attributes["role"] == "img" and attributes["viewbox"] if "viewbox" in attributes else attributes["viewBox"]
        if tag == "data":
            if "id" in attributes: self.figures[attributes["id"]] = float(attributes["value"])
            elif self.row is not None: self.row.append(float(attributes["value"]))
    def handle_endtag(self, tag): self.inside = None
    def handle_data(self, text):
        if self.inside == "statistics": self.json += text
        if self.inside == "h1": self.title += text
page = Page()
page.feed(open("dom").read())
statistics = json.load(open("json"))
assert json.loads(page.json) == statistics
assert page.title == 'compress a <b>&"c".tar', page.title
assert page.images == 4, page.images
numbers = dict(statistics, **statistics["process"])
assert len(page.figures) >= 14, page.figures
for key, value in page.figures.items(): assert value == numbers[key], key
keys = ["bytes", "operations", "busySeconds", "waitingSeconds", "bytesPerBusySecond", "latencyP50Seconds", "latencyP99Seconds", "latencyMaxSeconds"]
for stage in statistics["stages"]: assert page.rows["stage-" + stage["name"]] == [stage[key] for key in keys], stage
P
python check.py
grep -qF "$(sed -n 's/.*"verdict" : "\(.*\)",/\1/p' json)" dom
render failed.html >dom
grep -q 'class="outcome failure"' dom
grep -q '<h1>compress missing: failed</h1>' dom
grep -qF "failed: missing: can't open: no such file or directory" dom
