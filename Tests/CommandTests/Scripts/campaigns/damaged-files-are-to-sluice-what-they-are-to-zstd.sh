# Long: a round of a campaign, by chance.
# A short round of scripts/campaign differential: see Tests/Campaigns/differential.py for what is damaged, and how.
"$ROOT/scripts/campaign" --seed 1 --rounds 100 differential
