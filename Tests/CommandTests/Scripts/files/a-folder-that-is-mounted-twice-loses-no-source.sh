# A file has another device and perhaps another number where its folder is mounted once more.
needs bindfs strace
[ -w /dev/fuse ] || skip "FUSE can't be mounted here"
mkdir real mounted
bindfs -f real mounted &
await mountpoint -q mounted
# Two sources, and one output in two folders that are one.
# Each time under another name: for a second the kernel may keep what it knew of a name that went beneath the mount.
number=0
for words in '' --no-sync -v; do
    number=$((number + 1))
    a=a$number
    echo one | "$SLUICE" -q >real/$a.tzst
    echo two | "$SLUICE" -q >real/$a.tar.zst
    # shellcheck disable=SC2086
    exits 1 "$SLUICE" -q -d --rm -f $words real/$a.tzst mounted/$a.tar.zst
    case $(cat real/$a.tar) in
    one) [ -e real/$a.tar.zst ] ;;
    two) [ -e real/$a.tzst ] ;;
    *) fail "neither content is there" ;;
    esac
done
# A kernel that goes on saying that nothing has the name: asked for, it is taken.
rm -f real/*
fusermount -u mounted 2>/dev/null || umount mounted
bindfs -f -o negative_timeout=60,entry_timeout=60,attr_timeout=60 real mounted &
await mountpoint -q mounted
for old in none old; do
    [ $old = none ] || echo old >real/b$old.tar
    [ $old = old ] || [ ! -e mounted/b$old.tar ]
    cat mounted/* >cached || :
    echo one | "$SLUICE" -q >real/b$old.tzst
    echo two | "$SLUICE" -q >real/b$old.tar.zst
    exits 1 "$SLUICE" -q -d --rm -f -T1 real/b$old.tzst mounted/b$old.tar.zst
    [ "$(cat real/b$old.tar)" = one ]
    [ "$(zstd -dcq real/b$old.tar.zst)" = two ]
    [ ! -e mounted/.b$old* ]
done
# A source that is rewritten beneath a mount whose kernel has kept its attributes.
rm -f real/*
corpus random 300K >real/s
strace -D -f -qq -o /dev/null -e trace=fsync -e inject=fsync:delay_enter=700000:when=1 "$SLUICE" -q --rm mounted/s 2>said &
run=$!
sleep 0.35
echo NEW | dd of=real/s conv=notrunc,nocreat status=none
code=0
wait $run || code=$?
[ $code = 1 ]
grep -q 'changed while it was read' said
[ "$(head -c 3 real/s)" = NEW ]
# What has gone is not said to stay.
rm -f real/*
echo one >real/s
strace -D -f -qq -o /dev/null -e trace=fsync -e inject=fsync:delay_enter=700000:when=1 "$SLUICE" -q --rm real/s 2>said &
run=$!
sleep 0.35
rm real/s
wait $run && fail "it is gone"
grep -q "s: can't remove: no such file" said
