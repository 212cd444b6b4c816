# Without --really nothing changes; what is in the way is told as a whole, and then nothing is made.
git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null || skip "this is no clone"
git clone -q "$ROOT" clone
tags=$(git -C clone tag)
env -u BASH_ENV clone/scripts/release >section 2>said
version=$("$SLUICE" --version | cut -d ' ' -f 2)
grep -q "would tag .* as v$version, and put the packages" said
grep -q '^### ' section
[ ! -e clone/.build ]
echo change >>clone/README.md
git -C clone tag "v$version"
exits 1 env -u BASH_ENV clone/scripts/release --really
says "in the way: there are changes that are not committed"
says "in the way: the tag v$version is there already"
says "nothing was done"
[ ! -e clone/.build ]
[ "$(git -C clone tag)" = "$(printf '%s\n' $tags "v$version" | sort -u)" ]
