# `sluice --rm -f *` with f and f.zst: what becomes of f would take the name of a file that is to be read, and lose it.
for size in small large; do
    for words in '' -v --no-sync --limit-rate=1G; do
        rm -f ./*
        if [ $size = small ]; then
            echo one >f
            echo two >f.zst
        else
            corpus random 5M >f
            corpus text 5M >f.zst
        fi
        cp f "$LOGS/one"
        cp f.zst "$LOGS/two"
        code=0
        # shellcheck disable=SC2086
        "$SLUICE" -q --rm -f $words f f.zst 2>said || code=$?
        # Its turn may have come meanwhile: then the name is free.
        if [ $code = 1 ]; then
            grep -q 'f.zst: is also an input of this run; not replaced' said
            same f "$LOGS/one"
            absent f.zst
        else
            [ $code = 0 ]
            zstd -dcq f.zst | cmp - "$LOGS/one"
        fi
        zstd -dcq f.zst.zst | cmp - "$LOGS/two"
    done
done
# One after the other they may be replaced.
rm -f ./*
echo one >f
echo old >f.zst
works "$SLUICE" -q -f f
[ "$(zstd -dcq f.zst)" = one ]
