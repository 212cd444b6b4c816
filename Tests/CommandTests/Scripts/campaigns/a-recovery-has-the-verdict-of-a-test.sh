# Long: a round of a campaign, by chance.
# A short round of scripts/campaign damage: see Tests/Campaigns/damage.py for what is damaged, and how.
"$ROOT/scripts/campaign" --seed 1 --rounds 60 damage
