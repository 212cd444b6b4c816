# In a folder where everybody may put files, another user says that a part is done.
[ "$(id -u)" = 0 ] || skip "only root can play another user"
corpus text 3M >plain
"$SLUICE" -q -1 -B128K plain -o table.zst
mkdir -m 1777 shared
make() { works "$SLUICE" -q -d --part="$1"/2 table.zst -o shared/whole; }
refused() {
    fails "$SLUICE" -d "$@" table.zst -o shared/whole
    says "can't continue shared/.whole.parts.2-of-2: "
    says 'hint: shared/.whole.parts.2-of-2 must belong to you'
    absent shared/whole
}
make 1
mode=$(stat -c %a shared/.whole.parts.1-of-2)
[ "$mode" = 600 ] || fail "the mark has mode $mode"
refuses ordinary cat shared/.whole.parts.1-of-2
# What he would have to guess.
sed 's/part 1 of 2, bytes 0 to \(.*\)/part 2 of 2, bytes \1 to 3145728/' shared/.whole.parts.1-of-2 >forged
for change in 'chown 65534' 'chmod 644' 'ln -f -t .' 'ln -sf ../forged'; do
    cp forged shared/.whole.parts.2-of-2
    chmod 600 shared/.whole.parts.2-of-2
    $change shared/.whole.parts.2-of-2
    if [ "$change" = 'ln -sf ../forged' ]; then
        fails "$SLUICE" -d --part=2/2 table.zst -o shared/whole
        fails "$SLUICE" -d --join table.zst -o shared/whole
    else
        refused --part=2/2
        refused --join
    fi
    rm -f shared/.whole.parts.2-of-2 .whole.parts.2-of-2
done
# The same of us says it.
cp forged shared/.whole.parts.2-of-2
chmod 600 shared/.whole.parts.2-of-2
works "$SLUICE" -d --part=2/2 table.zst -o shared/whole
says 'part 2 of 2 is already done'
rm shared/.whole.parts.2-of-2
make 2
# What others may have opened is not written into.
chmod 644 shared/.whole.parts
rm shared/.whole.parts.2-of-2
fails "$SLUICE" -d --part=2/2 table.zst -o shared/whole
says "can't continue shared/.whole.parts: "
chmod 600 shared/.whole.parts
make 2
works "$SLUICE" -q -d --join table.zst -o shared/whole
same shared/whole plain
[ -z "$(find shared -name '.*')" ] || fail "left behind: $(find shared -name '.*')"
