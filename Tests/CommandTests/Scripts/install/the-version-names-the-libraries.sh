# -V -v names the C libraries with their versions, which are those of Debian's packages that the binary was built with.
works "$SLUICE" -V >short
works "$SLUICE" -V -v >long
[ "$(head -n 1 long)" = "$(cat short)" ] || fail "$(cat long)"
for library in jansson jemalloc liblz4 liblzma libxxhash zlib; do
    grep -qE "[ ,]$library [0-9]+\.[0-9]+(\.[0-9]+)?(,|$)" long || fail "$library is not in: $(cat long)"
done
if ! command -v dpkg-query >/dev/null; then exit 0; fi
while read -r library package; do
    installed=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null) || continue
    version=$(grep -oE "[ ,]$library [0-9.]+" long | grep -oE '[0-9.]+$')
    [[ ${installed#*:} == "$version"* ]] || fail "$library is of version $version, and $package of $installed"
done <<END
jansson libjansson-dev
jemalloc libjemalloc-dev
liblz4 liblz4-dev
liblzma liblzma-dev
libxxhash libxxhash-dev
zlib zlib1g-dev
END
# zstd's name has zstd's text.
ln -s "$SLUICE" zstd
[ "$(./zstd -qV)" = "$(sed -n 's/.*libzstd \(.*\))/\1/p' short)" ] || fail "$(./zstd -qV)"
