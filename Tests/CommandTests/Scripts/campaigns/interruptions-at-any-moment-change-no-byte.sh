# Long: a round of a campaign, by chance.
# A short round of scripts/campaign resume: runs that are killed, and gone on with; --rounds 2000 takes some minutes.
"$ROOT/scripts/campaign" --seed 1 --rounds 200 resume
