mkdir -p tree/sub out/tree elsewhere
corpus text 10K >tree/one
corpus text 20K >tree/sub/two
ln -s "$PWD/elsewhere" out/tree/sub
fails "$SLUICE" -r tree --output-dir-mirror out
says 'out/tree/sub: is a symbolic link: nothing is written through it'
says 'hint: -f follows it'
absent elsewhere/two.zst
zstd -dc out/tree/one.zst | cmp - tree/one
# The root is where the user says, and a link to a file is replaced and not followed, with -f only.
ln -s elsewhere linked
works "$SLUICE" -q tree/one --output-dir-mirror linked
zstd -dc elsewhere/tree/one.zst | cmp - tree/one
ln -s ../kept elsewhere/one.zst
echo kept >kept
fails "$SLUICE" tree/one --output-dir-flat elsewhere
[ "$(readlink elsewhere/one.zst)" = ../kept ]
works "$SLUICE" -qf tree/one --output-dir-flat elsewhere
[ ! -L elsewhere/one.zst ]
[ "$(cat kept)" = kept ]
works "$SLUICE" -rqf tree --output-dir-mirror out
zstd -dc elsewhere/two.zst | cmp - tree/sub/two
