corpus text 1M >a
mkdir folder
ln -s . here
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
    # Neither is what is written, under a name that shows it and under one that does not.
    fails "$SLUICE" -f a --$option=./a.zst
    says 'named for two outputs'
    absent a.zst
    fails "$SLUICE" -f a --$option=here/a.zst
    says 'the data itself is complete'
    zstd -dc a.zst | cmp - a
    fails "$SLUICE" -f a --$option=here/a.zst
    zstd -dc a.zst | cmp - a
    rm a.zst
    # An older file is, with force only.
    echo precious >said
    fails "$SLUICE" a --$option=said
    says 'already exists'
    absent a.zst
    [ "$(cat said)" = precious ]
    works "$SLUICE" -f a --$option=said
    [ "$(head -c 8 said)" != precious ]
    rm a.zst said
    fails "$SLUICE" a --$option=-
    absent a.zst -
done
fails "$SLUICE" a --trace=said --report=said
says 'named for two outputs'
works "$SLUICE" -c a --trace=/dev/null --report=/dev/null >/dev/null
no_leftovers
no_leftovers folder
