# What was not read, or not written, because it is a hole counts as bytes, as in the summary.
. "$SCRIPTS/statistics/tools.bash"
needs_schema
truncate -s 64M image
works "$SLUICE" --stats-file=json -q image
check json 'bytesIn == contentBytes == 64 << 20'
rm image json
works "$SLUICE" --stats-file=json -q -d image.zst
check json 'bytesOut == contentBytes == 64 << 20'
