# Long: a round of a campaign, by chance.
# A short round of scripts/campaign signals: see Tests/Campaigns/signals.py for which signals come when.
"$ROOT/scripts/campaign" --seed 1 --rounds 100 signals
