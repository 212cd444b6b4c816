corpus text 10K >a
works "$SLUICE" -v -T3 a
says '3 threads'
says 'MiB'
grep -qi 'memory' "$messages"
