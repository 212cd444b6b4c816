# Long: a round of a campaign, by chance.
# A short round of scripts/campaign recover, on smaller files: see Tests/Campaigns/recover.py for what is damaged, and how.
SLUICE_CAMPAIGN_SIZE=4194304 "$ROOT/scripts/campaign" --seed 1 --rounds 60 recover
