. "$SCRIPTS/adapt/tools.bash"
# A slow producer leaves time for a higher level, and is not kept waiting; a fast one gets the lowest.
endless | pipe pass 3:1500000 4:0 2>rates | "$SLUICE" --adapt=max=9 --progress=json --interval=0.1 2>lines >/dev/null
level lines 0 3 '$2 >= 7'
rate rates 1 3 1200000
level lines 3 6 '$2 <= 2'
