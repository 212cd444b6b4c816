# Long: a round of a campaign, by chance.
# A short round of scripts/campaign names: see Tests/Campaigns/names.py.
"$ROOT/scripts/campaign" --seed 1 --rounds 40 names
