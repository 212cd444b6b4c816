mkdir -p in/deep
cd in/deep
echo outside >../../victim
echo inside >file
# Up, absolute, and through a link.
tar --absolute-names -cf ../../odd.tar --transform='s,.*,../../victim,' file
tar --absolute-names -rf ../../odd.tar --transform='s,.*,/tmp/sluice-test-victim,' file
ln -s ../.. link
tar -rf ../../odd.tar link
cd ../..
rm -f /tmp/sluice-test-victim
works "$SLUICE" -q --members odd.tar
find . /tmp -maxdepth 1 -newer odd.tar.zst -name '*victim*' | sort >before
works "$SLUICE" -d --member='*' odd.tar.zst >all.tar
for name in ../../victim /tmp/sluice-test-victim; do
    works "$SLUICE" -d --member="$name" odd.tar.zst >got || fail "$name"
done
works "$SLUICE" -l --members odd.tar.zst >list
grep -q victim list || fail "$(cat list)"
works "$SLUICE" -qk -d odd.tar.zst -o again.tar
same again.tar odd.tar
[ "$(cat victim)" = outside ] || fail "a name of a member was a path"
absent /tmp/sluice-test-victim
find . /tmp -maxdepth 1 -newer odd.tar.zst -name '*victim*' | sort | cmp - before
