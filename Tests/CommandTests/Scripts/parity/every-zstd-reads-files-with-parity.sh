# Readers skip it, in all kinds of files that have it; without the option the bytes are the same as ever.
needs zstd
corpus text 400K >a
: >empty
for options in '' '-B16K' '--single-frame' '--lines -B16K' '--rsyncable -B16K' '--no-check -B16K' '--align=64K -B16K' '--parity=50% -B4K'; do
    for file in a empty; do
        # shellcheck disable=SC2086
        works "$SLUICE" -q --parity $options $file -o $file.zst -f
        zstd -dc $file.zst | cmp - $file
        works "$SLUICE" -qdf $file.zst -o back
        same back $file
        works "$SLUICE" -qt --parity $file.zst
        # Into a pipe, and from one, the bytes are the same.
        if [ "$options" != --single-frame ]; then
            # shellcheck disable=SC2086
            cat $file | "$SLUICE" -q --parity $options | cmp - $file.zst
        fi
    done
done
works "$SLUICE" -q -d --range=1000-2000 a.zst -o part
head -c 2001 a | tail -c 1001 >wanted
same part wanted
tar -cf b.tar a empty
works "$SLUICE" -q --members --parity -B16K b.tar -o b.tar.zst
works "$SLUICE" -q -d --member=empty b.tar.zst -o found
works "$SLUICE" -l --members b.tar.zst
works "$SLUICE" -qt --parity b.tar.zst
zstd -dc b.tar.zst | cmp - b.tar
# Added to a file, it protects the same frames.
for file in a b.tar; do
    "$SLUICE" -q -B16K $file -o plain.zst -f
    works "$SLUICE" -q --copy --parity plain.zst -o added.zst -f
    works "$SLUICE" -q --parity -B16K $file -o made.zst -f
    same added.zst made.zst
    fails "$SLUICE" -q --copy --parity made.zst -o more.zst
    says 'has parity already'
done
# Of what a command writes, too.
works "$SLUICE" -q --parity -B16K -o commanded.zst --from-command -- cat b.tar
same commanded.zst made.zst
# Also where no header says how large the content is.
zstd -q a -o theirs.zst
cat a | zstd -q >piped.zst
for file in theirs piped; do
    works "$SLUICE" -q --copy --parity $file.zst -o added.zst -f
    works "$SLUICE" -qt --parity added.zst
    zstd -dc added.zst | cmp - a
done
works "$SLUICE" -l made.zst >list
grep -q Parity list
"$SLUICE" -l plain.zst | { ! grep Parity; }
# A run that was interrupted goes on.
(
    ulimit -f 40
    "$SLUICE" -q --resume --parity -B16K a -o resumed.zst
) 2>/dev/null || true
[ -e .resumed.zst.part ]
works "$SLUICE" -q --resume --parity -B16K a -o resumed.zst
works "$SLUICE" -q --parity -B16K a -o made.zst -f
same resumed.zst made.zst
