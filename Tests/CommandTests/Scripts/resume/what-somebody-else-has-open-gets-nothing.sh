# In a folder where everybody may put files, another user holds open what has the name of the unfinished output.
[ "$(id -u)" = 0 ] || skip "only root can play another user"
corpus text 8M >secret
chmod 600 secret
mkdir -m 777 shared
mkdir -m 777 signs
# held FILE: what can be read of it by somebody who opened it when everybody could, once signs/read is there.
held() {
    rm -f signs/*
    chmod 644 "$1"
    ordinary bash -c 'exec 5<"$0"; touch signs/open; until [ -e signs/read ]; do sleep 0.02; done; cat <&5' "$1" >stolen &
    await test -e signs/open
    chmod 600 "$1"
}
# What was there before may be read, and nothing that came later.
read_is() {
    touch signs/read
    wait
    same stolen "$1"
}
: >nothing
# An empty one, and an empty note.
for name in .out.zst.part .out.zst.part.note; do
    : >shared/planted
    held shared/planted
    mv shared/planted "shared/$name"
    works "$SLUICE" -q --resume secret -o shared/out.zst
    read_is nothing
    zstd -dc shared/out.zst | cmp - secret
    rm shared/out.zst
done
# One that has something, in the place of what an interrupted run has left.
interrupt() {
    rm -f shared/.out*
    "$SLUICE" -q -B512K --no-sync --limit-rate=2M --resume secret -o shared/out.zst &
    await test -s shared/.out.zst.part
    kill -KILL $!
    wait $! || true
}
interrupt
cp shared/.out.zst.part begun
cp begun shared/planted
held shared/planted
mv shared/planted shared/.out.zst.part
fails "$SLUICE" -q -B512K --resume secret -o shared/out.zst
says 'started with different options'
same shared/.out.zst.part begun
works "$SLUICE" -q -B512K -f --resume secret -o shared/out.zst
read_is begun
zstd -dc shared/out.zst | cmp - secret
rm shared/out.zst
# Its own is gone on with, unless its mode has changed.
interrupt
inode=$(stat -c %i shared/.out.zst.part)
works "$SLUICE" -q -B512K --resume secret -o shared/out.zst
[ "$(stat -c %i shared/out.zst)" = "$inode" ] || fail "it was begun anew"
rm shared/out.zst
interrupt
inode=$(stat -c %i shared/.out.zst.part)
chmod 644 shared/.out.zst.part
# Its number is taken as long as it is open.
exec 6<shared/.out.zst.part
works "$SLUICE" -q -B512K --resume secret -o shared/out.zst
[ "$(stat -c %i shared/out.zst)" != "$inode" ] || fail "others may have it open"
exec 6<&-
rm shared/out.zst
# Whose it is, is looked at before anything is done to it.
echo precious >shared/precious
ln shared/precious shared/.out.zst.part
chown 65534 shared/precious
chmod 400 shared/precious
fails ordinary "$SLUICE" -q --resume /etc/hostname -o shared/out.zst
says "can't continue shared/.out.zst.part: "
says 'hint: shared/.out.zst.part must belong to you'
[ "$(stat -c %a shared/precious)" = 400 ] || fail "its mode has changed"
