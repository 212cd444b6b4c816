corpus text 1M >a
mkdir folder
for option in stats-file trace report; do
    fails "$SLUICE" a --$option=missing/file
    says 'missing/file'
    fails "$SLUICE" a --$option=folder
    absent a.zst
    # What is read is never replaced.
    cp a kept
    fails "$SLUICE" a --$option=a
    says 'is the input and the output'
    fails "$SLUICE" -c a --$option=./a
    same a kept
    absent a.zst
    # Neither is what was just written.
    fails "$SLUICE" a --$option=a.zst
    zstd -dc a.zst | cmp - a
    fails "$SLUICE" -f a --$option=a.zst
    zstd -dc a.zst | cmp - a
    rm a.zst
    # A second run replaces what the first one said.
    works "$SLUICE" a --$option=said
    works "$SLUICE" -f a --$option=said
    rm a.zst
done
no_leftovers
no_leftovers folder
