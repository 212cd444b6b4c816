needs python3
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
    says 'the output itself is complete'
    zstd -dc a.zst | cmp - a
    fails "$SLUICE" -f a --$option=here/a.zst
    zstd -dc a.zst | cmp - a
    rm a.zst
    # An earlier one is, and nothing else, with force neither: it may be a source, whose name came behind the option.
    echo precious >said
    for words in '' -f; do
        # shellcheck disable=SC2086
        fails "$SLUICE" $words a --$option=said
        says 'already exists'
        says "hint: --$option names a file to write, here said"
        # shellcheck disable=SC2086
        fails "$SLUICE" $words --$option said <a
        absent a.zst
        [ "$(cat said)" = precious ]
    done
    for other in stats-file trace report; do
        works "$SLUICE" -c a --$other=of.$other >/dev/null
        cp of.$other said
        if [ $other = $option ]; then
            works "$SLUICE" -c a --$option=said >/dev/null
            refuses cmp said of.$other
        else
            fails "$SLUICE" -f -c a --$option=said
            same said of.$other
        fi
    done
    # In an empty file nothing is lost, but it is somebody's.
    : >said
    fails "$SLUICE" -c a --$option=said
    says 'already exists'
    works "$SLUICE" -f -c a --$option=said >/dev/null
    [ -s said ]
    # What a link leads to decides, and stays.
    cp said earlier
    ln -sf earlier said
    works "$SLUICE" -c a --$option=said >/dev/null
    [ ! -L said ]
    ln -sf a said
    fails "$SLUICE" -f -c kept --$option=said
    same a kept
    rm said of.*
    fails "$SLUICE" a --$option=-
    absent a.zst -
done
fails "$SLUICE" a --trace=said --report=said
says 'named for two outputs'
works "$SLUICE" -c a --trace=/dev/null --report=/dev/null >/dev/null
# What holds for the data does not hold for them: that it can be read back, and is not for a terminal.
mkfifo pipe
timeout 20 cat pipe >said &
works "$SLUICE" -qf a --verify=file --stats-file=pipe
wait
grep -q elapsedSeconds said || fail "$(cat said)"
terminal='import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
timeout 20 env -u BASH_ENV python3 -c "$terminal" "$SLUICE" -qf a --stats-file=/dev/tty </dev/null >said
grep -q elapsedSeconds said || fail "$(cat said)"
rm pipe said
no_leftovers
no_leftovers folder
