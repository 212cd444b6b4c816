fails "$SLUICE" -d -c "$FIXTURES/empty-file.zst" >out
[ ! -s out ]
fails "$SLUICE" -dc "$FIXTURES/needs-dictionary.zst" >out
says dictionary
[ ! -s out ]
fails "$SLUICE" -dc -M1024MB "$FIXTURES/window-2GiB.zst" >out
says 'hint: '
says '--long=31'
[ ! -s out ]
works "$SLUICE" -dc --long=31 "$FIXTURES/window-2GiB.zst" >out
[ "$(size out)" = 200000 ]
works "$SLUICE" -dc -M2048MB "$FIXTURES/window-2GiB.zst" >out
[ "$(size out)" = 200000 ]
works "$SLUICE" -dc "$FIXTURES/window-128MiB.zst" >out
fails "$SLUICE" -dc -M64MB "$FIXTURES/window-128MiB.zst" >out
for magic in 'hello, this is text' $'\x1f\x8b\x08 gzip' $'\xfd7zXZ' $'\x27\xb5\x2f\xfd old zstd' '(' $'(\xb5/'; do
    printf '%s' "$magic" >a.zst
    fails "$SLUICE" -d a.zst
    says 'a.zst: '
    fails "$SLUICE" -t <a.zst
    absent a
done
no_leftovers
