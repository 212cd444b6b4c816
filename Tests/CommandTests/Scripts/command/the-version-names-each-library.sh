# -V -v has a line for each part that packaging/parts lists, with the version that was linked in, and for what is loaded.
works "$SLUICE" -V -v >version
silent
[ "$(head -n 1 version)" = "$("$SLUICE" -V)" ]
if grep -vE '^[a-z+0-9-]+ ([0-9]+(\.[0-9]+)+|unknown|not found) \((linked in|shared|loaded for (URLs|--hash|gzip))\)$' <(sed 1d version) >&9; then
    fail 'a line of another form'
fi
for name in libcurl libcrypto libisal; do grep -q "^$name .*(loaded for" version || fail "no $name"; done
# A build by swift build alone does not know all.
if grep -q '^swift unknown' version; then
    sed -i -E '/^(swift|hdrhistogram|libstdc|libgcc)/d' version
    unknown='^(swift|hdrhistogram|libstdc|libgcc)'
fi
env -u BASH_ENV bash -c "source '$ROOT/scripts/setup.bash'; parts all" | cut -f 1,2 | tr '\t' ' ' | grep -vE "${unknown:-^$}" | sort >wanted
[ "$(wc -l <wanted)" -ge 6 ]
sed -n 's/ (linked in)$//p' version | grep -v '^libzstd ' | sort >told
if command -v dpkg-query >/dev/null; then same told wanted; else same <(cut -d ' ' -f 1 told) <(cut -d ' ' -f 1 wanted); fi
# libzstd is there once, linked in or shared.
[ "$(grep -cE '^libzstd [0-9.]+ \((shared|linked in)\)$' version)" = 1 ]
# A run without -v loads none of them.
if command -v strace >/dev/null; then
    works strace -f -qq -o trace -e trace=openat "$SLUICE" -V >/dev/null
    if grep -E 'libcurl|libcrypto' trace >&9; then fail 'it loads what it does not need'; fi
fi
