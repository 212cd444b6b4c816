# What was listed is reached through the folder itself, while its name leads elsewhere.
mkdir -p tree/a tree/b tree/c elsewhere
corpus random 2M >tree/a/1
echo mine >tree/a/2
echo mine >tree/a/3
echo mine >tree/a/4
echo mine >tree/b/5
echo mine >tree/c/6
for name in 2 3 4 5 6; do echo secret >elsewhere/$name; done
mkfifo pipe
# The pipe is full: the run waits with the first file, when the folder is listed and those behind it are not.
spawn status "$SLUICE" -rc tree >pipe 2>said &
exec 5<pipe
await test -s status.pid
sleep 1
mv tree/a tree/was
ln -s "$PWD/elsewhere" tree/a
rm tree/was/3 tree/was/4
ln -s "$PWD/elsewhere/3" tree/was/3
mkfifo tree/was/4
rm -r tree/b
ln -s "$PWD/elsewhere" tree/b
timeout 20 zstd -dc <&5 >content
await test -s status.time
[ "$(cat status)" = 1 ]
if grep -aq secret content; then fail 'a file was read through a link'; fi
{ cat tree/was/1; echo mine; echo mine; } | cmp - content
grep -q 'tree/a/3: ' said
grep -q 'tree/a/4: ' said
grep -q 'tree/b: ' said
