# Long: a round of a campaign, by chance.
# A short round of scripts/campaign pipes: see Tests/Campaigns/pipes.py.
"$ROOT/scripts/campaign" --seed 1 --rounds 20 pipes
