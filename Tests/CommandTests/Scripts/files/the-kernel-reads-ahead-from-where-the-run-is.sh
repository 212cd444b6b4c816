# libdispatch advises it to, from the offset that it was told: always 0 would be the beginning, again and again.
needs strace
corpus text 12M >a
strace -f -qq -o "$LOGS/strace" -e trace=fadvise64 "$SLUICE" -qf -1 --read=dispatch -B1M a
advised() { grep -oE 'fadvise64\([0-9]+, [0-9]+, [0-9]+' "$LOGS/strace" | awk '{ print $2 + 0 }' | sort -n | uniq | wc -l; }
# Once more where it finds the end.
[ "$(advised)" = 13 ]
# Not more of it than the next chunk: what is cached is looked up page by page.
[ "$(grep -oE 'fadvise64\([0-9]+, [0-9]+, [0-9]+' "$LOGS/strace" | awk '{ print $3 }' | sort -n | tail -n 1)" -le 2097152 ]
# The same where a redirected file does not stand at its beginning.
dd if=/dev/zero of=b bs=1M count=3 status=none
cat a >>b
{ dd bs=1M count=3 of=/dev/null status=none && strace -f -qq -o "$LOGS/strace" -e trace=fadvise64 "$SLUICE" -q -1 --read=dispatch -B1M; } <b >b.zst
same a.zst b.zst
[ "$(grep -oE 'fadvise64\([0-9]+, [0-9]+' "$LOGS/strace" | awk '{ print $2 + 0 }' | sort -n | head -n 1)" = 3145728 ]
