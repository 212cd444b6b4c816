# What is not a regular file gets the data of a source only if somebody has asked for it.
needs strace
corpus text 1K >secret
chmod 600 secret
mkfifo secret.zst
fails timeout 20 "$SLUICE" -q secret
says 'secret.zst: is not a regular file: not written'
says 'hint: -f or -o writes to it'
cp secret other
fails timeout 20 "$SLUICE" -q secret other
says 'secret.zst: is not a regular file'
zstd -dc other.zst | cmp - secret
rm other.zst
# So it is with a device, behind a link too, and with names in another folder.
ln -s /dev/null other.zst
fails "$SLUICE" -q other
says 'other.zst: is not a regular file'
mkdir out
mkfifo out/other.zst
fails timeout 20 "$SLUICE" -q --output-dir-flat=out other
zstd -q other -o back.zst
mkfifo back
fails timeout 20 "$SLUICE" -q -d back.zst
says 'back: is not a regular file'
for words in '-qf secret' '-q secret -o secret.zst'; do
    timeout 20 cat secret.zst >got &
    # shellcheck disable=SC2086
    works timeout 20 "$SLUICE" $words
    wait $!
    zstd -dc got | cmp - secret
done
# The kernel is asked as for a file that might be made, and nothing is left if it is.
timeout 20 cat secret.zst >got &
strace -f -qq -o trace -e trace=openat -P secret.zst -P "$PWD/secret.zst" "$SLUICE" -qf secret
wait $!
grep -q 'O_WRONLY|O_CREAT' trace || fail "$(cat trace)"
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/fs/protected_fifos)" != 0 ]; then
    mkdir -m 1777 shared
    mkfifo shared/pipe
    chown 65534 shared/pipe
    fails timeout 20 "$SLUICE" -qf secret -o shared/pipe
    says 'shared/pipe: '
fi
mkfifo pipe
strace -f -qq -o trace -P pipe -P "$PWD/pipe" -e trace=openat -e inject=openat:delay_enter=1500000 \
    "$SLUICE" -qf --no-sandbox secret -o pipe 2>"$messages" &
await test -e trace
sleep 0.7
rm pipe
code=0
wait $! || code=$?
[ $code = 1 ] || fail "exit code $code"
says 'has just been replaced'
absent pipe
