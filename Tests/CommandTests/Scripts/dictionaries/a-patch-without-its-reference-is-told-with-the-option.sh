corpus text 3M >old
(head -c 1M old; echo inserted; tail -c 2M old) >new
zstd -q --patch-from=old new -o theirs.zst
"$SLUICE" -q --patch-from=old new -o ours.zst
for patch in theirs.zst ours.zst; do
    fails "$SLUICE" -d $patch -o out
    says '; if it is a patch, name the old version with --patch-from=FILE'
    fails "$SLUICE" -t $patch
    says '; if it is a patch, name the old version with --patch-from=FILE'
    fails "$SLUICE" -d <$patch
    says '; if it is a patch, name the old version with --patch-from=FILE'
    works "$SLUICE" -dq --patch-from=old $patch -o out
    same out new
    rm out
    # The wrong one is another matter.
    fails "$SLUICE" -d --patch-from=new $patch -o out
    if grep -q 'if it is a patch' "$messages"; then fail "$(cat "$messages")"; fi
done
# A file of frames is damaged, and nothing else.
corpus random 3M >plain
"$SLUICE" -q -B1M plain
printf damage | dd of=plain.zst bs=1 seek=1500000 conv=notrunc status=none
fails "$SLUICE" -d plain.zst -o out
says 'hint: sluice -d --recover plain.zst'
if grep -q 'if it is a patch' "$messages"; then fail "$(cat "$messages")"; fi
