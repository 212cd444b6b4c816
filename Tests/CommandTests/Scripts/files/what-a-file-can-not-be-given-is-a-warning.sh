# Its owner, its group, its access control list.
corpus text 100K >a
cp a b
chown 1234:2345 a b
chmod 711 "$LOGS"
chmod 777 .
works ordinary "$SLUICE" a
says "warning: a.zst: could not copy from the source: owner, group"
[ "$(stat -c '%u %g' a.zst)" = '65534 65534' ]
rm a.zst
works ordinary "$SLUICE" a b
says "warning: a.zst: could not copy from the source: owner, group"
says "warning: b.zst: could not copy from the source: owner, group"
rm ./*.zst
works ordinary "$SLUICE" -q a
silent
# Of somebody else's file in a group of ours only the owner is lost.
chown 1234:65534 b
works ordinary "$SLUICE" b
says "warning: b.zst: could not copy from the source: owner"
refuses grep -q group "$messages"
# Who may give files away says nothing.
works "$SLUICE" -f a b
refuses grep -q warning "$messages"
[ "$(stat -c '%u %g' a.zst)" = '1234 2345' ]
# From standard input, and to standard output, there is nothing to be given.
works ordinary "$SLUICE" -c a >c
refuses grep -q warning "$messages"
