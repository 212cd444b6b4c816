corpus text 20M >large
corpus text 2K >old
cp old dictionary
# Where a file that becomes an output has a name.
spawn status strace -D -f -qq -o /dev/null -e trace=access,faccessat -e inject=access,faccessat:error=ENOENT \
    "$SLUICE" -f --train-cover large -B2K &
temporary >/dev/null
sleep 0.2
start=$(now)
kill -TERM "$(pid status)"
ended status SIGTERM 1 "$start"
same dictionary old
no_leftovers
