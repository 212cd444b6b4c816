# A bar that is not asked for stays away from where people look at the data.
needs less
. "$SCRIPTS/progress/terminal.bash"
seq 1 400000 >lines
corpus random 3M >data
"$SLUICE" -q -B64K lines
"$SLUICE" -q -B256K data
run() { terminal "$1" "$2" 12 "$3"; }
slow="--limit-rate=$(($(size lines.zst) / 2))"
for width in 40 80 200; do
    run all$width $width "'$SLUICE' -dc $slow lines.zst"
    run tail$width $width "'$SLUICE' -d --tail=50 lines.zst"
    run head$width $width "'$SLUICE' -dc $slow lines.zst | head -n 3"
    run grep$width $width "'$SLUICE' -dc $slow lines.zst | grep 399999"
    run less$width $width "'$SLUICE' -dc $slow lines.zst | less"
    run copy$width $width "'$SLUICE' --copy $slow lines"
done
for width in 40 80 200; do
    for name in all tail head grep; do
        await shows $name$width END
        if screen $name$width | grep -vE '^[0-9]*$|^END$'; then fail "$name$width"; fi
    done
    # A pager shows the first lines, and its prompt.
    await shows less$width '^:'
    [ "$(screen less$width | head -n 11 | xargs)" = '1 2 3 4 5 6 7 8 9 10 11' ] || fail "$(screen less$width)"
    if screen copy$width | grep -vE '^[0-9]*$|^END$'; then fail "copy$width"; fi
done
# Compressed data is for no terminal, and whoever asks has a bar in any case; so has who writes a file.
run compress 80 "'$SLUICE' -c -B256K --limit-rate=2M data | cat >/dev/null"
run asked 80 "'$SLUICE' -dc --progress --limit-rate=2M data.zst | cat >/dev/null"
run file 80 "'$SLUICE' -dc --limit-rate=2M data.zst >out"
run written 80 "'$SLUICE' -d --limit-rate=2M data.zst -o written"
for name in compress asked file written; do await shows $name '%.*ETA'; done
