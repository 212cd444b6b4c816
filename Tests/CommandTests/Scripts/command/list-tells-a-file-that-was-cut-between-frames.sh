corpus text 3M >a
works "$SLUICE" -q -B1M a
# The second entry of the table says where the second frame, the third of all, ends.
offset=$(perl -e 'local $/; $_ = <>; my $n = unpack "V", substr $_, -9, 4; my @e = unpack "V*", substr $_, -9 - 12 * $n, 12 * $n; print $e[0] + $e[3] + $e[6]' <a.zst)
head -c "$offset" a.zst >cut.zst
zstd -tq cut.zst
fails "$SLUICE" -l cut.zst
says 'the seek table that its header announces is missing'
fails "$SLUICE" -t cut.zst
works "$SLUICE" -l a.zst >list
