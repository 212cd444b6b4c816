. "$SCRIPTS/statistics/tools.bash"
needs_schema
corpus text 6M >a
works "$SLUICE" -B1M a --stats-file=json
check json 'run["operation"] == "compress"' 'outcome == "success"' 'files == 1 and failedFiles == 0' \
    "bytesIn == contentBytes == $(size a)" "bytesOut == $(size a.zst)" "abs(ratio - $(size a) / $(size a.zst)) < ratio / 100" \
    'stage["compress"]["operations"] == 6' "stage['compress']['bytes'] == $(size a)" 'stage["sync"]["operations"] == 1' \
    "[s['name'] for s in stages] == ['read', 'slot', 'compress', 'order', 'write', 'sync']"
works "$SLUICE" -f -d a.zst -o b --stats-file=json
same a b
check json 'run["operation"] == "decompress"' "bytesIn == $(size a.zst)" "bytesOut == contentBytes == $(size a)" \
    "stage['decompress']['bytes'] == $(size a)" 'ratio > 1'
works "$SLUICE" -f -t a.zst --stats-file=json
check json 'run["operation"] == "test"' "bytesIn == $(size a.zst)" 'bytesOut == 0' "contentBytes == $(size a)" 'stage["write"]["operations"] == 0'
works "$SLUICE" --copy a -o b -f --stats-file=json
check json 'run["operation"] == "copy"' "bytesIn == bytesOut == contentBytes == $(size a)" 'ratio is None' 'workers == 1'
# In one frame, much of what goes in comes out later.
works "$SLUICE" --single-frame a -o b -f --stats-file=json
check json "bytesIn == contentBytes == $(size a)" "bytesOut == $(size b)"
: >empty
works "$SLUICE" -f empty --stats-file=json
check json 'bytesIn == contentBytes == 0' "bytesOut == $(size empty.zst)" 'ratio is None'
# Of one chunk there is never more than one on its way.
printf hello6 >six
works "$SLUICE" six --stats-file=json -f
check json '0 < slotsInUseMean <= 1 and slotsInUseMax == 1'
# What is added counts, and not what stands there.
held=$(size a.zst)
works "$SLUICE" --append six -o a.zst --stats-file=added
check added 'run["operation"] == "append"' 'bytesIn == contentBytes == 6' "$held < $(size a.zst)"
works "$SLUICE" --part=1/2 -B1M a -o p1
works "$SLUICE" --part=2/2 -B1M a -o p2
works "$SLUICE" --join p1 p2 -o joined --stats-file=joining
check joining 'run["operation"] == "join"' "0 < bytesIn == bytesOut <= $(size joined)"
tar -cf members.tar a six
works "$SLUICE" --members members.tar
works "$SLUICE" -l --members members.tar.zst --stats-file=listing >list
check listing 'run["operation"] == "list"' 'outcome == "success"' 'bytesOut == 0'
# Standard error holds the same, and nothing else.
"$SLUICE" --stats=json <a 2>json | zstd -dc | cmp - a
check json "bytesIn == $(size a)" 'stage["sync"]["operations"] == 0'
for words in -z -d -t --copy; do
    "$SLUICE" -f $words --stats=json a.zst -o out 2>json
    check json 'outcome == "success"'
done
"$SLUICE" --stats <a 2>table >/dev/null
grep -q '^compress  *6.00 MiB ' table
grep -q '^limited by ' table
