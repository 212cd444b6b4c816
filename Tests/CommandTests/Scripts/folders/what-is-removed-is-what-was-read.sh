# Between the last look at a source and its removal, the folder's name comes to lead to another folder.
mkdir -p tree/sub elsewhere
echo content >tree/sub/file
ln tree/sub/file elsewhere/file
spawn status strace -D -f -qq -o trace -e trace=unlink,unlinkat,renameat -e inject=unlink,unlinkat,renameat:delay_enter=1500000 \
    "$SLUICE" -qr --rm tree &
await test -e tree/sub/file.zst
sleep 0.5
mv tree/sub tree/was
ln -s "$PWD/elsewhere" tree/sub
ended status 0
[ -e elsewhere/file ]
absent tree/was/file
zstd -dc tree/was/file.zst | grep -q content
