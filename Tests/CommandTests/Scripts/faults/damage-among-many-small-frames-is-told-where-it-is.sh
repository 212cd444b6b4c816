for n in 1 2 3; do corpus text 100K | zstd -q --check; done >many.zst
offset=$(size many.zst)
corpus text 100K | zstd -q --check >bad
# The last four bytes are the checksum.
truncate -s -1 bad
printf '\0' >>bad
cat bad >>many.zst
fails "$SLUICE" -t many.zst
says "byte $offset"
cp many.zst other.zst
fails "$SLUICE" -t many.zst other.zst
says ": corrupt frame at byte $offset"
