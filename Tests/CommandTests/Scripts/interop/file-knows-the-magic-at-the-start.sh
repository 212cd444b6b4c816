corpus text 9M >a
"$SLUICE" -q -B1M a
[ "$(head -c 4 a.zst | od -An -tx1 | tr -d ' ')" = 28b52ffd ]
# The seek table is the last thing in the file.
[ "$(tail -c 4 a.zst | od -An -tx1 | tr -d ' ')" = b1ea928f ]
