# What SECURITY.md says shows a promise: scripts, suites, and campaigns.
grep -oE '`[a-z]+/[a-z0-9-]+`' "$ROOT/SECURITY.md" | tr -d '`' | grep -v '^scripts/' >scripts
grep -oE '`[A-Za-z]+Tests/[A-Za-z]+Tests`' "$ROOT/SECURITY.md" | tr -d '`' >suites
[ "$(wc -l <scripts)" -gt 30 ]
while read -r name; do [ -e "$SCRIPTS/$name.sh" ] || fail "there is no script $name"; done <scripts
while read -r name; do
    [ -n "$(find "$ROOT/Tests/${name%/*}" -name "${name##*/}.swift")" ] || fail "there is no suite $name"
done <suites
grep -oE 'campaigns? [a-z, ]+[|;]' "$ROOT/SECURITY.md" | sed 's/campaigns\?//; s/[,|;]/ /g' | tr -s ' ' '\n' | sed '/^$/d' | sort -u >named
[ "$(wc -l <named)" -gt 10 ]
while read -r name; do
    [ -e "$ROOT/Tests/Campaigns/$name.py" ] || grep -q "== $name " "$ROOT/scripts/campaign" || fail "there is no campaign $name"
done <named
# And each that there is shows a promise; but one tries libdispatch, and one what docs/decisions/resume.md says.
for path in "$ROOT"/Tests/Campaigns/*.py; do
    name=${path##*/}
    name=${name%.py}
    case $name in campaign | run | operations | frames | ends | resume) continue ;; esac
    grep -qx "$name" named || fail "SECURITY.md names no promise of the campaign $name"
done
