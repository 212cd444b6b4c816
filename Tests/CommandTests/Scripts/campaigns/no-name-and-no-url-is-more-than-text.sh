# Long: a round of a campaign, by chance.
# A short round of scripts/campaign text: see Tests/Campaigns/text.py.
"$ROOT/scripts/campaign" --seed 1 --rounds 40 text
