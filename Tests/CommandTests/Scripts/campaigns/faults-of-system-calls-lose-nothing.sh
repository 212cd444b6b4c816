# Long: a round of a campaign, by chance.
# A short round of scripts/campaign faults: see Tests/Campaigns/faults.py for what is tried and how it is judged.
"$ROOT/scripts/campaign" --seed 1 --rounds 80 faults
