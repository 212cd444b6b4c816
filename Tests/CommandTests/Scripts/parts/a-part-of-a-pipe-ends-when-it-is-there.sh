. "$SCRIPTS/statistics/tools.bash"
# slice OFFSET COUNT: of the content.
slice() { python -c 'import sys; sys.stdout.buffer.write(open("plain", "rb").read()[int(sys.argv[1]):][:int(sys.argv[2])])' "$@"; }
corpus text 8M >plain
links=$PWD/links
mkdir "$links"
ln -s "$SLUICE" "$links/zstd"
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
    # What is counted from the end, or goes back, is held until all has come.
    cmp <("$SLUICE" -d --tail=10 < <(cat $file)) <(tail -c 10 plain)
    cmp <("$SLUICE" -d --range=100- --range=0-9 < <(cat $file)) <(slice 100 9000000 && slice 0 10)
    cmp <("$SLUICE" -dq --offset=-1M --length=99 -M40M < <(cat $file)) <(tail -c 1M plain | head -c 99)
    # Within the memory that it may take.
    fails "$SLUICE" -d --tail=7M -M26M < <(cat $file)
    says 'it can only be read forward'
    fails "$SLUICE" -d --tail=10 --index=i < <(cat $file)
    absent i
    # A list is that of the file, but for its name.
    cmp <("$SLUICE" -l < <(cat $file) | sed "s/standard input$/$file/") <("$SLUICE" -l $file)
    # As zstd, that lists files only.
    fails "$links/zstd" -l < <(cat $file)
done
# Members of a pipe, and their list, come of one decompression.
mkdir tree
for number in {1..30}; do slice $((number * 1000)) $((number * 5000)) >"tree/$number"; done
tar cf tree.tar tree
"$SLUICE" -q -B100K --members tree.tar -o tree.zst
for file in tree.zst tree.tar; do
    [ $file = tree.zst ] || { zstd -q tree.tar -o again.zst && file=again.zst; }
    cmp <("$SLUICE" -d --member=tree/17 < <(cat $file)) tree/17
    cmp <("$SLUICE" -l --members < <(cat $file)) <("$SLUICE" -l --members $file)
    cmp <("$SLUICE" -d --member='tree/1?' --as-tar < <(cat $file)) <("$SLUICE" -d --member='tree/1?' --as-tar $file)
    fails "$SLUICE" -d --member=none < <(cat $file)
    says 'no member is named none'
    fails "$SLUICE" -d --member='tree/1?' < <(cat $file)
    says '--as-tar'
done
# Standard input that is a file can go anywhere.
[ "$("$SLUICE" -d --tail=100 <own.zst | sha256sum)" = "$(tail -c 100 plain | sha256sum)" ]
# Other formats too, from their start.
gzip -c plain >plain.gz
cmp <("$SLUICE" -d --offset=5M --length=9 plain.gz) <(slice 5242880 9)
cmp <("$SLUICE" -d --tail=9 plain.gz) <(tail -c 9 plain)
