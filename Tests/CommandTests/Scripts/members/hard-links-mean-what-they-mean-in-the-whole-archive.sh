# A file that was replaced after a link to it was stored.
needs python3
echo old >a
ln a h
tar -cf t.tar a h
rm a
echo new >a
tar -rf t.tar a
"$SLUICE" -q --members t.tar
mkdir whole
tar -xf t.tar -C whole
for words in --member=. '--member=* --as-tar' '--member=h --member=a' '--member=h --as-tar'; do
    rm -rf some
    mkdir some
    set -f
    # shellcheck disable=SC2086
    "$SLUICE" -q -d $words t.tar.zst | tar -xf - -C some
    set +f
    same some/h whole/h
done
same some/a some/h
# One whose file is missing is written as it is, and told.
env -u BASH_ENV python3 - <<'PYTHON'
import io, tarfile
with tarfile.open("lost.tar", "w") as tar:
    for name, link in (("lost", "gone"), ("file", "")):
        member = tarfile.TarInfo(name)
        member.type, member.linkname = (tarfile.LNKTYPE if link else tarfile.REGTYPE), link
        tar.addfile(member, io.BytesIO())
PYTHON
"$SLUICE" -q --members lost.tar
works "$SLUICE" -d --member='*' lost.tar.zst >some.tar
says 'lost is a link to gone, which is missing'
[ "$(tar -tf some.tar)" = "lost
file" ]
fails "$SLUICE" -d --member=lost lost.tar.zst
says 'lost is a link to gone, which is missing'
