needs getfattr
needs setfattr
corpus text 1K >a
setfattr -n user.note -v 'a note' a 2>/dev/null || skip 'no extended attributes on this file system'
works "$SLUICE" -q a
[ "$(getfattr --only-values -n user.note a.zst)" = 'a note' ]
rm a
works "$SLUICE" -qd a.zst
[ "$(getfattr --only-values -n user.note a)" = 'a note' ]
