# In one sentence, and nothing is made.
corpus text 100K >a
cp a b
"$SLUICE" -q a
mkfifo pipe
mkdir folder
refused() {
    fails "$SLUICE" --resume "$@"
    says --resume
    [ "$(grep -c '^sluice: ' "$messages")" -le 2 ] || fail "too many words: $(cat "$messages")"
    [ -z "$(find . -name '.*.part*')" ] || fail "something was made: $(find . -name '.*.part*')"
}
refused
refused -
refused -c a
refused a b
refused -r folder
refused --single-frame a -o out
refused --max a -o out
says 'only independent frames of equal size can be continued'
refused --rsyncable a -o out
refused --adapt a -o out
refused --flush-interval=1 a -o out
refused -D b a -o out
refused --patch-from=b a -o out
refused -t a.zst
refused -l a.zst
refused -d --tail=5 a.zst -o out
refused --members a -o out
says '--members and --resume can'\''t be combined'
refused --part=1/2 a
says '--part and --resume can'\''t be combined: a part that was interrupted is made again'
refused -d --recover a.zst -o out
says '--recover and --resume can'\''t be combined'
cat a >pipe &
refused pipe -o out
wait
works "$SLUICE" -q --resume b
same b.zst a.zst
