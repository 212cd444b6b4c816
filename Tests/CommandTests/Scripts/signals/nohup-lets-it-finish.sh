corpus random 100K >a
mkfifo data
nohup "$SLUICE" -q -o out.zst <data >nohup.log 2>&1 &
exec 8>data
temporary >/dev/null
kill -HUP $!
cat a >&8
exec 8>&-
wait $!
zstd -dc out.zst | cmp - a
