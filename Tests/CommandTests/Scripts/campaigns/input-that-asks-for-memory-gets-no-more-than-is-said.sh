# Long: a round of a campaign, by chance.
# A short round of scripts/campaign memory, each kind of input once: see Tests/Campaigns/memory.py.
"$ROOT/scripts/campaign" --seed 1 --rounds 23 memory
