# What SECURITY.md says shows a promise: scripts, suites, and campaigns.
grep -oE '`[a-z]+/[a-z0-9-]+`' "$ROOT/SECURITY.md" | tr -d '`' | grep -v '^scripts/' >scripts
grep -oE '`[A-Za-z]+Tests/[A-Za-z]+Tests`' "$ROOT/SECURITY.md" | tr -d '`' >suites
[ "$(wc -l <scripts)" -gt 30 ]
while read -r name; do [ -e "$SCRIPTS/$name.sh" ] || fail "there is no script $name"; done <scripts
while read -r name; do
    [ -n "$(find "$ROOT/Tests/${name%/*}" -name "${name##*/}.swift")" ] || fail "there is no suite $name"
done <suites
for name in faults differential signals memory pipes recover; do
    grep -q "campaigns\? .*$name" "$ROOT/SECURITY.md"
    [ -e "$ROOT/Tests/Campaigns/$name.py" ]
done
