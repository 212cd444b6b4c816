corpus text 900K >a
corpus random 600K >b
cat a b a >whole
: >empty
truncate -s 12M sparse
corpus random 1M | dd of=sparse bs=1M seek=5 conv=notrunc status=none
mkdir small
for index in {1..30}; do head -c $((index * 900)) a >small/$index; done
"$SLUICE" -q --train small/* -o dict 2>/dev/null
printf data >plain
# Whoever reads, cuts and compresses: frames, holes, cuts by content, libzstd's own workers, dictionaries, differences.
for words in -T1 '-T4 -B500K' '-B500K --read=workers' --rsyncable '-T2 --single-frame' --long '-19 -B2M' '--single-frame -T1 --no-check' \
    '--no-content-size --no-check' '-D dict -B500K' '--patch-from=a' '--zstd=wlog=20'; do
    for name in whole empty sparse; do
        case $name$words in empty*-B* | sparse*-19* | sparse*-D* | sparse*=*) continue ;; esac
        # shellcheck disable=SC2086
        works "$SLUICE" -q $words $name -o wanted.zst
        # shellcheck disable=SC2086
        works "$SLUICE" -q --verify $words $name -o made.zst
        same made.zst wanted.zst
        rm made.zst wanted.zst
    done
done
# Pipes, a level that follows, a stream that is flushed, and zstd's names.
works "$SLUICE" -q --verify <whole >made.zst
works "$SLUICE" -q <whole | same /dev/stdin made.zst
for words in --adapt '--adapt --long' --flush-interval=0.1; do
    # shellcheck disable=SC2086
    cat whole | works "$SLUICE" -q --verify $words >made.zst
    works "$SLUICE" -t -q --against=whole made.zst
done
ln -s "$SLUICE" zstd
works ./zstd -q --verify whole -o named.zst
works ./zstd -q whole -o wanted.zst
same named.zst wanted.zst
# Small files side by side, with a dictionary and without one.
for words in -T4 '-D dict'; do
    # shellcheck disable=SC2086
    works "$SLUICE" -qf -k $words small/*
    mkdir kept
    mv small/*.zst kept
    # shellcheck disable=SC2086
    works "$SLUICE" -qf -k --verify $words small/{?,??}
    for file in kept/*; do same "$file" small/"${file#kept/}"; done
    rm -r kept small/*.zst
done
# The memory is counted, of each worker that made a frame: one at least.
plain=$("$SLUICE" -v -T2 -B8M sparse -c 2>&1 >x.zst | sed -n 's/.*memory up to \([0-9]*\).*/\1/p')
more=$("$SLUICE" -v -T2 -B8M --verify sparse -c 2>&1 >x.zst | sed -n 's/.*memory up to \([0-9]*\).*/\1/p')
[ "$more" -ge $((plain + 7)) ] || fail "$plain and $more MiB"
fails "$SLUICE" -d --verify made.zst
says '--verify only works with -z'
fails "$SLUICE" -t --verify made.zst
