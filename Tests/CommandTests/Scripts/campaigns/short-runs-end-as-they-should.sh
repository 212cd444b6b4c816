# A short round of scripts/campaign ends: see Tests/Campaigns/ends.py.
if is_long; then rounds=3; else rounds=1; fi
"$ROOT/scripts/campaign" --seed 1 --rounds "$rounds" ends
