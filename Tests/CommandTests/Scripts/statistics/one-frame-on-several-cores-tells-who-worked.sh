# Its blocks are a stage of their own.
. "$SCRIPTS/statistics/tools.bash"
needs_schema
corpus text 24M >text
for _ in 1 2 3; do cat text; done | zstd -q -1 >frame.zst
works "$SLUICE" -q -t -T2 --stats-file=json frame.zst
check json 'workers == 2' 'stages[2]["name"] == "blocks"' 'stages[2]["operations"] > 1' '0 < stages[2]["bytes"] <= bytesIn'
works "$SLUICE" -q -t -T1 --stats-file=one frame.zst
check one 'workers == 1' '"blocks" not in stage'
