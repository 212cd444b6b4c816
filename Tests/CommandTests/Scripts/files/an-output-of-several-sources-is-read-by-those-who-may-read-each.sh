# What one source allows, and the others do not, is not allowed: nobody gets at a source by what it was put together with.
for name in a b c; do corpus text 300K >"$name"; done
mode() { stat -c %a "$1"; }
umask 022
# modes WANTED MODE...: of the output of a, b and c with these modes.
modes() {
    local wanted=$1
    shift
    chmod "$1" a
    chmod "$2" b
    chmod "$3" c
    works "$SLUICE" -q -f a b c -o all.zst
    [ "$(mode all.zst)" = "$wanted" ] || fail "$*: $(mode all.zst)"
    works "$SLUICE" -q -f --train a b c -B4K --maxdict=4K -o dictionary
    [ "$(mode dictionary)" = "$wanted" ] || fail "$*: a dictionary with $(mode dictionary)"
    rm all.zst dictionary
}
modes 644 644 644 666
modes 600 644 600 644
modes 640 644 640 644
modes 600 640 604 644
# Parts keep the mode of their file, and so does what they are joined to.
chmod 600 a
for part in 1 2; do works "$SLUICE" -q --part=$part/2 a -o part-$part; done
works "$SLUICE" -q --join part-1 part-2 -o joined.zst
[ "$(mode joined.zst)" = 600 ] || fail "$(mode joined.zst)"
works "$SLUICE" -q -d joined.zst -o got
same got a
# The default list of a folder names others, whom no mode leaves out.
if command -v setfacl >/dev/null && mkdir listed && setfacl -d -m u:nobody:r listed 2>/dev/null; then
    chmod 640 b
    works "$SLUICE" -q -f a b -o listed/all.zst
    [ "$(getfacl -c listed/all.zst | grep -c nobody)" = 0 ] || fail "$(getfacl listed/all.zst)"
    chmod 644 a b
    works "$SLUICE" -q -f a b -o listed/open.zst
    getfacl -c listed/open.zst | grep -q 'user:nobody:r--' || fail "$(getfacl listed/open.zst)"
fi
# A pipe says nothing about who may read what comes out of it.
chmod 644 a
works "$SLUICE" -q -f a - -o piped.zst < <(cat b)
[ "$(mode piped.zst)" = 644 ] || fail "$(mode piped.zst)"
