# Names below /dev are not all devices.
folder=$(mktemp -d /dev/shm/sluice.XXXXXX)
trap 'rm -rf "$folder"' EXIT
corpus text 100K >"$folder/a"
echo old >"$folder/a.zst"
fails "$SLUICE" -q "$folder/a"
[ "$(cat "$folder/a.zst")" = old ]
works "$SLUICE" -qf "$folder/a"
zstd -dc "$folder/a.zst" | cmp - "$folder/a"
# But what stands for an open descriptor is written in place.
"$SLUICE" -q "$folder/a" -o /dev/stdout | zstd -dc | cmp - "$folder/a"
[ -L /dev/stdout ]
