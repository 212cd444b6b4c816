. "$SCRIPTS/adapt/tools.bash"
# Slow, fast, slow again: within three seconds the level is another one, and what comes too.
endless | "$SLUICE" --adapt=max=9 --no-check --progress=json --interval=0.1 2>lines |
    pipe pass 3:300000 4:0 3:300000 2>rates >/dev/null || true
level lines 0 3 '$2 >= 7'
level lines 3 6 '$2 <= 2'
rate rates 6 7 6000000
level lines 7 10.2 '$2 >= 7'
