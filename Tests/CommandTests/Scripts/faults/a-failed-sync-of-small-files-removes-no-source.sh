needs strace
for n in {1..20}; do corpus text 3000 >"f$n"; done
fails strace -f -qq -o "$LOGS/strace" -e trace=syncfs -e inject=syncfs:error=EIO "$SLUICE" --rm f* missing
# What was synced together is told once.
says "sluice: can't sync the file system of .: input/output error; 20 files not created"
[ "$(grep -c "can't sync" "$messages")" = 1 ] || fail "told more than once: $(cat "$messages")"
says 'missing: '
for n in {1..20}; do
    [ -e "f$n" ]
    absent "f$n.zst"
done
no_leftovers
# So are the names in a folder, and what is in another is safe.
mkdir one two
cp f1 f2 f3 one
cp f1 f2 two
fails strace -f -qq -o "$LOGS/strace" -P "$PWD/one" -e trace=fsync -e inject=fsync:error=EIO "$SLUICE" --rm one/f* two/f*
says "sluice: can't sync the directory of one/f1.zst: input/output error; 3 files may not be on disk yet"
[ "$(grep -c "can't sync" "$messages")" = 1 ] || fail "told more than once: $(cat "$messages")"
for n in 1 2 3; do same one/f$n f$n; done
for n in 1 2; do
    zstd -dcq two/f$n.zst | cmp - f$n
    absent two/f$n
done
# An error of writing back is told once, and only to those who had the file system open: so it is opened before the first
# byte is written.
strace -f -o "$LOGS/calls" -e trace=openat,write,syncfs "$SLUICE" -q f*
awk -v OFS=' ' '/O_DIRECTORY/ && !opened { opened = NR } /write\(.*265/ && !written { written = NR }
    /syncfs\(/ { synced = NR } END { exit !(opened && written && opened < written && written < synced) }' "$LOGS/calls" ||
    fail "the folder was not opened before the first write"
