corpus random 5M >a
printf x >one
: >empty
for name in a one empty; do
    works "$SLUICE" --copy $name -o b -f
    same $name b
    "$SLUICE" --copy $name | cmp - $name
    "$SLUICE" --copy <$name | cmp - $name
    cat $name | "$SLUICE" --copy | cat | cmp - $name
done
"$SLUICE" --copy a one a | cmp - <(cat a one a)
# What is compressed stays so.
"$SLUICE" -q a
"$SLUICE" --copy a.zst | cmp - a.zst
# A file gets the metadata of the other, and its name when it is whole.
chmod 640 a
touch -d '2020-02-02 02:02:02' a
works "$SLUICE" --copy a -o b -f
[ "$(stat -c '%a %Y' b)" = "$(stat -c '%a %Y' a)" ]
echo old >b
fails "$SLUICE" --copy a -o b
[ "$(cat b)" = old ]
fails "$SLUICE" --copy a -o a
fails "$SLUICE" --copy missing -o c
fails "$SLUICE" --copy a -o /dev/full
spawn end "$SLUICE" --copy --limit-rate=2M a -o b -f &
pid=$(pid end)
temporary >/dev/null
kill -TERM "$pid"
ended end SIGTERM
[ "$(cat b)" = old ]
absent c
no_leftovers
# What trickles in is passed on.
(echo first; sleep 1) | "$SLUICE" --copy | (read -r -t 0.8 line; [ "$line" = first ])
for option in --output-dir-flat=. --output-dir-mirror=.; do
    fails "$SLUICE" --copy $option a
    says 'the copy goes to standard output or one file'
done
