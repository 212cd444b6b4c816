corpus text 100K >a
"$SLUICE" -q a
"$SLUICE" -c -B64K a >many.zst
for garbage in x $'(\xb5/' 'a longer piece of something else' ; do
    for name in a many; do
        (cat $name.zst; printf '%s' "$garbage") >bad.zst
        fails "$SLUICE" -d bad.zst
        says 'bad.zst: '
        grep -qE '[0-9]' "$messages"
        absent bad
        fails "$SLUICE" -t <bad.zst
        fails "$SLUICE" -dc bad.zst >part
        prefix_of part a
    done
done
(cat a.zst; head -c 100 /dev/zero) >bad.zst
fails "$SLUICE" -t bad.zst
# A skippable frame that is not whole.
(cat a.zst; printf '\x50\x2a\x4d\x18\x10\0\0\0short') >bad.zst
fails "$SLUICE" -t bad.zst
(cat a.zst; printf '\x50\x2a\x4d\x18\x05\0\0\0right') >good.zst
works "$SLUICE" -dc good.zst >b
same a b
no_leftovers
