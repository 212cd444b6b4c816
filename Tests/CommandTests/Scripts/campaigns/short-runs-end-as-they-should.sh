# A short round of scripts/campaign ends: see Tests/Campaigns/ends.py.
"$ROOT/scripts/campaign" --seed 1 --rounds 3 ends
