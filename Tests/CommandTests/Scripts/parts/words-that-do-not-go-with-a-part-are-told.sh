corpus text 1000 >plain
works "$SLUICE" -q -k plain
told() {
    local sentence=$1
    shift
    fails "$SLUICE" "$@" </dev/null
    says "$sentence"
}
told '--offset only works with -d' --offset=5 plain
told '--range only works with -d' -t --range=5-6 plain.zst
told '--tail only works with -d' -l --tail=5 plain.zst
told '--offset and --rm can'\''t be combined: the source holds more than the output' -d --rm --offset=5 plain.zst
told '--tail takes one file' -d --tail=5 plain.zst plain.zst
told '--tail takes one file' -d -r --tail=5 .
told '--length and --tail can'\''t be combined' -d --length=5 --tail=5 plain.zst
told '--tail and --range can'\''t be combined' -d --range=1-2 --tail=5 plain.zst
# sha256sum -c would take it for that of the file.
told '--tail and --hash can'\''t be combined: it would look like the hash of the whole file' -d --tail=5 --hash=sha256 plain.zst
told '--range takes bytes such as 0-99, 100- or -100, not ' -d --range=1-2,,5-6 plain.zst
told 'a range is not named after its source' -d --output-dir-flat=. --tail=5 plain.zst
told '--index needs --offset' -d --index=x plain.zst
told '--index takes a named file' -d --index=x --tail=5
told '--range takes bytes such as 0-99, 100- or -100, not 5' -d --range=5 plain.zst
told '--range takes a number of bytes' -d --range=x-5 plain.zst
told 'ends before it starts' -d --range=9-5 plain.zst
told '--offset takes a number of bytes' -d --offset=-x plain.zst
told '--length 5 M: a number and its unit must be one word, 5M' -d --length 5 M plain.zst
[ -e plain.zst ]
# Units, in both forms, and under zstd's names too, as all options of our own.
ln -s "$SLUICE" zstd
for command in "$SLUICE" ./zstd; do
    same <("$command" -d --range 0-0K plain.zst) <(head -c 1 plain)
    same <("$command" -d --range 0-4,10-14,-3 plain.zst) <(head -c 5 plain; dd if=plain bs=1 skip=10 count=5 status=none; tail -c 3 plain)
    same <("$command" -d --offset -1000 --length=10 plain.zst) <(head -c 10 plain)
    same <("$command" -d --offset -1000 --length=0K plain.zst) /dev/null
done
"$SLUICE" --help >help
grep -q -- '--range' help
