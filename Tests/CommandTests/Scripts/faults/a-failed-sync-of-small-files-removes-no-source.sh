for n in {1..20}; do corpus text 3000 >"f$n"; done
fails strace -f -qq -o "$LOGS/strace" -e trace=syncfs -e inject=syncfs:error=EIO "$SLUICE" --rm f*
says "can't sync f1.zst"
says "can't sync f20.zst"
for n in {1..20}; do
    [ -e "f$n" ]
    absent "f$n.zst"
done
no_leftovers
# An error of writing back is told once, and only to those who had the file system open: so it is opened before the first
# byte is written.
strace -f -o "$LOGS/calls" -e trace=openat,write,syncfs "$SLUICE" -q f*
awk -v OFS=' ' '/O_DIRECTORY/ && !opened { opened = NR } /write\(.*265/ && !written { written = NR }
    /syncfs\(/ { synced = NR } END { exit !(opened && written && opened < written && written < synced) }' "$LOGS/calls" ||
    fail "the folder was not opened before the first write"
