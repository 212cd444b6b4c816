# What was written stays, and is gone on with when there is room.
small_disk disk 6M
corpus random 8M >a
"$SLUICE" -q -B512K a -o whole.zst
"$SLUICE" -q whole.zst -o outer.zst
fails "$SLUICE" -q -B512K --resume a -o disk/out.zst
says 'no space left on device'
absent disk/out.zst
[ "$(size disk/.out.zst.part)" -gt 4000000 ] || fail "only $(size disk/.out.zst.part) bytes were kept"
prefix_of disk/.out.zst.part whole.zst
fails "$SLUICE" -q -B512K --resume a -o disk/out.zst
mount -o remount,size=20M disk
works "$SLUICE" -q -B512K --resume a -o disk/out.zst
same disk/out.zst whole.zst
absent disk/.out.zst.part disk/.out.zst.part.note
# And the way back.
rm disk/out.zst
mount -o remount,size=6M disk
fails "$SLUICE" -qd --resume whole.zst -o disk/back
says 'no space left on device'
prefix_of disk/.back.part a
mount -o remount,size=20M disk
works "$SLUICE" -qd --resume whole.zst -o disk/back
same disk/back a
absent disk/.back.part disk/.back.part.note
