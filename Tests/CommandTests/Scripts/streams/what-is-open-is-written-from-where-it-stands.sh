# Names such as /dev/stdout stand for what is open: opened anew, a file would be cut, and what was appended to it lost.
corpus text 30K >a
"$SLUICE" -q a
echo head >kept
works "$SLUICE" -q -d a.zst -o /dev/stdout >>kept
{ echo head; cat a; } | cmp - kept
for name in /dev/stdout /dev/./stdout /dev/fd/1 /proc/self/fd/1; do
    { echo head; "$SLUICE" -q -d -f a.zst -o $name; echo tail; } >out
    { echo head; cat a; echo tail; } | cmp - out
done
(cd /dev && "$SLUICE" -q -d -f "$OLDPWD/a.zst" -o stdout) >out
same out a
[ -L /dev/stdout ]
{ echo head >&7; works "$SLUICE" -q -d a.zst -o /dev/fd/7 7>&7; } 7>out
{ echo head; cat a; } | cmp - out
# What fails leaves it as it was.
head -c 20 a.zst >cut.zst
echo head >kept
fails "$SLUICE" -q -d cut.zst -o /dev/stdout >>kept
[ "$(cat kept)" = head ]
# So do statistics.
echo head >log
"$SLUICE" -q -f a -o a.zst --stats-file /dev/stderr 2>>log
[ "$(head -n 1 log)" = head ]
[ "$(wc -l <log)" -gt 10 ]
