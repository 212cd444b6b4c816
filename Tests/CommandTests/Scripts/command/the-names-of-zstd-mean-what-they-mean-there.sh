corpus text 10K >a
ln -s "$SLUICE" unzstd
ln -s "$SLUICE" zstdcat
ln -s "$SLUICE" zstdmt
ln -s "$SLUICE" zstd
works ./zstdmt -q a
works ./zstdcat a.zst >b
same a b
rm a
works ./unzstd a.zst
same a b
# Those of gzip's that zstd answers to read all that it reads, and pass the rest on.
for name in zcat gzcat; do
    ln -s "$SLUICE" $name
    zstd -qkf a
    gzip -nkf a
    works ./$name a.zst a.gz a >c
    cat a a a | same /dev/stdin c
    works ./$name <a.gz | same /dev/stdin a
    fails ./$name --no-pass-through a
    [ "$(./$name -qV)" = "$("$SLUICE" -V | sed 's/.*libzstd \([0-9.]*\).*/\1/')" ]
    rm a.zst a.gz
done
# As there, messages begin with the name that was called; with our own name, with that.
for name in zstd unzstd zstdcat zstdmt zcat gzcat; do
    fails ./$name missing
    grep -qx "$name: missing.*: can't open: no such file or directory" "$messages" || fail "$name: $(cat "$messages")"
    fails ./$name --nonsense
    says "$name: unknown option --nonsense"
    says "$name: hint: "
done
ln -s "$SLUICE" other
fails ./other missing
says 'sluice: missing: '
# Too few samples have a code of zstd's; by our own name an error is 1.
exits 14 ./zstd --train
exits 14 ./zstd --train a
fails "$SLUICE" --train
works ./zstd -f a
works ./zstd -dc a.zst >c
same a c
