# Long: a round of a campaign, by chance.
# A short round of scripts/campaign access: see Tests/Campaigns/access.py.
[ "$(id -u)" = 0 ] || skip 'needs root'
"$ROOT/scripts/campaign" --seed 1 --rounds 40 access
