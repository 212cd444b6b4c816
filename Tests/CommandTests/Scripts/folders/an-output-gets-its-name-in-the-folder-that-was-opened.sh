# Whoever renames the folder meanwhile, and puts a link in its place, gets nothing.
needs strace
plain=(env)
# As `with_names`, whose process is the command's own.
named=(strace -D -f -qq -o /dev/null -e trace=access,faccessat -e inject=access,faccessat:error=ENOENT)
# begin WORDS...: a run has begun to write into the folder, which is then another one.
begin() {
    rm -rf out was elsewhere data
    mkdir out elsewhere
    mkfifo data
    (exec "$@" <data 2>said) &
    run=$!
    exec 8>data
    await has_temporary out
    mv out was
    ln -s "$PWD/elsewhere" out
}
for way in plain named; do
    declare -n prefix=$way
    for words in -q -qf; do
        begin "${prefix[@]}" "$SLUICE" $words --no-sandbox -o out/file
        echo content >&8
        exec 8>&-
        wait "$run" || fail "$(cat said)"
        [ -z "$(ls -A elsewhere)" ] || fail "elsewhere is $(ls -A elsewhere)"
        zstd -dcq was/file | grep -qx content
        no_leftovers was
    done
    # A stop removes what has a name from where it is.
    begin "${prefix[@]}" "$SLUICE" -q --no-sandbox -o out/file
    kill -TERM "$run"
    if wait "$run"; then fail 'not stopped'; fi
    exec 8>&-
    [ -z "$(ls -A was)" ] || fail "left is $(ls -A was)"
done
