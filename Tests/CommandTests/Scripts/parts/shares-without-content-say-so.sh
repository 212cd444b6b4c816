seq 1 60000 >a
"$SLUICE" -q -B128K a
total=0
for part in {1..16}; do
    works "$SLUICE" -d --part=$part/16 a.zst -f -o share.$part
    if [ -s share.$part ]; then total=$((total + 1)); else
        says "part $part of 16: no content, as only 3 of 16 have some: frames of 16.0 KiB would give each some"
        grep -q ' in .* s, ' "$messages" && fail "$(cat "$messages")"
    fi
done
[ "$total" = 3 ]
cat $(seq -f 'share.%g' 16) | cmp - a
# A file of one frame is one share, and the others are empty.
"$SLUICE" -q --lines=newline -B8M a -o one.zst
for part in {1..4}; do works "$SLUICE" -q -d --part=$part/4 one.zst -f -o one.$part; done
cat one.? | cmp - a
# With the first lines of the file, each share is a table of its own.
{ echo id,name; seq -f '%g,x' 1 50000; } >t.csv
"$SLUICE" -q --lines -B32K t.csv
for part in {1..5}; do
    "$SLUICE" -qdc --header-lines=1 --part=$part/5 t.csv.zst >t.$part
    [ "$(head -n 1 t.$part)" = id,name ]
done
cat <(echo id,name) <(for part in {1..5}; do tail -n +2 t.$part; done) | cmp - t.csv
"$SLUICE" -qdc --header-lines=900 --part=2/5 t.csv.zst >t.many
cmp -n "$(head -n 900 t.csv | wc -c)" t.many t.csv
fails "$SLUICE" -dc --header-lines=1 t.csv.zst
says '--header-lines needs --part'
fails "$SLUICE" --header-lines=1 --part=1/2 t.csv
says '--header-lines only works with -d --part'
