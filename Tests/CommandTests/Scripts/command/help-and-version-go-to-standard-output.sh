works "$SLUICE" -h >help
silent
grep -q -- '--decompress' help
grep -q -- '--flush-interval' help
# The default is said once, and what few need stands last.
refuses grep -q '(default).*(default' help
sed -n '/^ADVANCED:/,$p' help >advanced
grep -q -- '--read ' advanced
works "$SLUICE" -H >help2
same help help2
works "$SLUICE" -V >version
silent
grep -qE '^sluice [0-9]+\.[0-9]+.*libzstd 1\.' version
for word in -V -h; do fails "$SLUICE" $word >/dev/full; done
fails "$SLUICE" -l "$FIXTURES/one-byte.zst" >/dev/full
