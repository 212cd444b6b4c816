# Its owner, its group, its access control list.
needs strace
corpus text 100K >a
cp a b
chown 1234:2345 a b
chmod 711 "$LOGS"
chmod 777 .
works ordinary "$SLUICE" a
says "warning: a.zst: could not copy from the source: owner, group"
[ "$(stat -c '%u %g' a.zst)" = '65534 65534' ]
rm a.zst
works ordinary "$SLUICE" a b
# Several files are done at once: whichever is the first is named.
grep -qE 'warning: [ab]\.zst: could not copy from the source: owner, group$' "$messages"
says "warning: 1 more file: could not copy from the source: owner, group"
rm ./*.zst
works ordinary "$SLUICE" -q a
silent
# Of somebody else's file in a group of ours only the owner is lost.
chown 1234:65534 b
works ordinary "$SLUICE" b
says "warning: b.zst: could not copy from the source: owner"
refuses grep -q group "$messages"
# Who may give files away says nothing.
works "$SLUICE" -f a b
refuses grep -q warning "$messages"
[ "$(stat -c '%u %g' a.zst)" = '1234 2345' ]
# From standard input, and to standard output, there is nothing to be given.
works ordinary "$SLUICE" -c a >c
refuses grep -q warning "$messages"
rm -f ./*.zst
# Its mode and its times, where the file system takes none: it is there all the same, for its owner only, and once more
# is said for all of them together than for one.
poor() {
    strace -f -qq -o "$LOGS/strace" -e trace=fchmod,utimensat -e inject=fchmod:error=EPERM -e inject=utimensat:error=ENOSYS "$@"
}
lacks='could not copy from the source: mode, times'
ln -s "$SLUICE" "$LOGS/zstd"
mkdir many
for n in {1..30}; do corpus text 3000 >"many/$n"; done
cp -r many "$LOGS/"
for program in "$SLUICE" "$LOGS/zstd"; do
    works poor "$program" --rm a b
    grep -qE "warning: [ab]\.zst: $lacks\$" "$messages"
    says "warning: 1 more file: $lacks"
    absent a b
    [ "$(stat -c %a a.zst)" = 600 ]
    works poor "$program" -d --rm a.zst
    says "warning: a: $lacks"
    [ "$(stat -c %a a)" = 600 ]
    zstd -dc b.zst | cmp - a
    absent a.zst
    works poor "$program" --rm many/*
    [ "$(grep -c "$lacks" "$messages")" = 2 ] || fail "not two warnings: $(cat "$messages")"
    says "warning: 29 more files: $lacks"
    for n in {1..30}; do absent "many/$n"; done
    works poor "$program" -q -d --rm many/*.zst
    silent
    for n in {1..30}; do same "many/$n" "$LOGS/many/$n"; done
    [ "$(stat -c %a many/1)" = 600 ]
    # A new file has no source.
    works poor "$program" -f -o new.zst <a
    says 'warning: new.zst: could not set: mode'
    [ "$(stat -c %a new.zst)" = 600 ]
    mv -f b.zst "$LOGS/"
    cp a b
done
no_leftovers
