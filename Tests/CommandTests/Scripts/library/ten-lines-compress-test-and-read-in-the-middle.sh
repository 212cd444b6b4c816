# The front page of the library's documentation, as a program.
page=$(examples)/FrontPage
[ -x "$page" ] || skip 'the examples are not built'
seq 500000 >data
"$page" data >said
zstd -q -d -c data.zst | cmp - data
middle=$(($(size data) / 2))
bytes=$(dd if=data bs=1 skip="$middle" count=10 status=none | od -An -v -tu1 | tr -s ' ' ' ' | sed 's/^ //; s/ /, /g')
grep -qF "the middle is [$bytes]" said || fail "no '$bytes' in: $(cat said)"
grep -q "^$(size data) bytes became $(size data.zst)\$" said || fail "$(cat said)"
# What is there stays.
refuses "$page" data
zstd -q -d -c data.zst | cmp - data
