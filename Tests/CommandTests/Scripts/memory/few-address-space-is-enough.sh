corpus text 20M >a
"$SLUICE" -q -B1M a
for words in '-T2 -1 -B1M -c a' '-T2 -dc a.zst'; do
    # shellcheck disable=SC2086
    exits 0 bash -c 'ulimit -v 700000; exec "$@"' - "$SLUICE" $words >out
done
