. "$SCRIPTS/statistics/tools.bash"
# slice OFFSET COUNT: of the content.
slice() { python -c 'import sys; sys.stdout.buffer.write(open("plain", "rb").read()[int(sys.argv[1]):][:int(sys.argv[2])])' "$@"; }
corpus text 8M >plain
"$SLUICE" -q -B100K plain -o own.zst
zstd -qc <plain >one.zst
for file in own.zst one.zst; do
    # Its writer goes on for ever, and says nothing any more.
    mkfifo data
    { cat $file || true; exec sleep 60; } 2>/dev/null >data &
    writer=$!
    timeout 20 "$SLUICE" -d --offset=1000000 --length=70000 <data >part
    cmp part <(slice 1000000 70000)
    kill $writer
    wait $writer || true
    rm data
    # A writer that dies of it is no failure of ours.
    { cat $file || true; cat $file $file $file || true; } 2>/dev/null | works "$SLUICE" -d --range=5-9 >part
    cmp part <(slice 5 5)
    fails "$SLUICE" -d --tail=10 < <(cat $file)
    says 'it is not a regular file: it can only be read forward'
    says 'hint: name a regular file'
    fails "$SLUICE" -d --range=100- --range=0-9 < <(cat $file)
    says 'only be read forward'
done
# Standard input that is a file can go anywhere.
[ "$("$SLUICE" -d --tail=100 <own.zst | sha256sum)" = "$(tail -c 100 plain | sha256sum)" ]
# Other formats too, from their start.
gzip -c plain >plain.gz
cmp <("$SLUICE" -d --offset=5M --length=9 plain.gz) <(slice 5242880 9)
fails "$SLUICE" -d --tail=9 plain.gz
says 'only be read forward'
says 'hint: sluice -d decompresses all of it'
