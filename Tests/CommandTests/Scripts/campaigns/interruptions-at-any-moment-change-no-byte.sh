# A short round of scripts/campaign resume: runs that are killed, and gone on with; --rounds 2000 takes a quarter of an hour.
"$ROOT/scripts/campaign" --seed 1 --rounds 60 resume
