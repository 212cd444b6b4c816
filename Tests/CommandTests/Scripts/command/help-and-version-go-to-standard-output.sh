works "$SLUICE" --help >help
silent
grep -q -- '--decompress' help
grep -q -- '--flush-interval' help
# What few need stands last.
sed -n '/^Advanced:/,$p' help >advanced
grep -q -- '--read=' advanced
works "$SLUICE" -H >help2
same help help2
# What most runs need is on one screen, and is an option there, too.
works "$SLUICE" -h >usage
silent
[ "$(wc -l <usage)" -lt 24 ] && [ "$(wc -L <usage)" -lt 80 ]
# Levels, -T4 and -M512M are letters with a number.
grep -oE '(^| )--?[a-zA-Z]+[0-9]*' usage | tr -d ' ' | sed -E 's/^(-[TM])[0-9]+$/\1/' | sort -u >told
[ "$(wc -l <told)" -gt 15 ]
while read -r option; do
    grep -qE -- "(^|[ (])$option([ ,=/[]|$)" help || fail "$option is not in the whole help"
done <told
works "$SLUICE" --usage >usage2
same usage usage2
works "$SLUICE" -V >version
silent
grep -qE '^sluice [0-9]+\.[0-9]+.*libzstd 1\.' version
for word in -V -h; do fails "$SLUICE" $word >/dev/full; done
fails "$SLUICE" -l "$FIXTURES/one-byte.zst" >/dev/full
