needs setfacl
corpus text 1K >a
chmod 640 a
setfacl -m u:1234:rw,g::- a 2>/dev/null || skip 'no access control lists on this file system'
list() { getfacl --omit-header "$1"; }
wanted=$(list a)
works "$SLUICE" -q a
[ "$(list a.zst)" = "$wanted" ]
rm a
works "$SLUICE" -qd a.zst
[ "$(list a)" = "$wanted" ]
cp -p a b
rm a.zst
works "$SLUICE" -q a b
[ "$(list b.zst)" = "$wanted" ]
# Where there are none, the group does not get what was the mask of others: its own rights were none.
[ "$(stat -c %a a)" = 660 ]
mkdir plain
mount -t ramfs ramfs plain 2>/dev/null || exit 0
trap 'umount plain' EXIT
setfacl -m u:1234:r plain 2>/dev/null && exit 0
works "$SLUICE" a -o plain/a.zst
says "warning: plain/a.zst: could not copy from the source: access control list"
[ "$(stat -c %a plain/a.zst)" = 600 ]
