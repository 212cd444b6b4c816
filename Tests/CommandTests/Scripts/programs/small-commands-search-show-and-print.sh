# sluicegrep, sluiceless and sluicecat, beside grep over the content.
mkdir bin
ln -s "$SLUICE" bin/sluice
PATH=$PWD/bin:$ROOT/packaging/commands:$PATH
# Without what these scripts set for bash.
sluicegrep() { env -u BASH_ENV sluicegrep "$@"; }
corpus text 300K >a
printf 'one\ntwo needle\nthree\n' >b
printf 'a needle\n' >'name with $(blanks)'
cp a a.plain
"$SLUICE" -q a
gzip -k b
"$SLUICE" -q 'name with $(blanks)'
same <(sluicecat a.zst b.gz a.plain) <(cat a b a)
same <(sluicecat <a.zst) a
word=$(head -c 100000 a | tail -n 2 | head -n 1 | grep -oE '[a-z]{5,}' | head -n 1)
both() {
    local status=0 wanted=0
    grep "$@" a b >wanted || wanted=$?
    sluicegrep "$@" a.zst b.gz >found || status=$?
    sed -i 's/^a\.zst/a/; s/^b\.gz/b/' found
    same found wanted
    [ "$status" = "$wanted" ] || fail "$*: exit code $status, not $wanted"
}
for options in '' -c -l -L -n -in -h -v '-A2 -n' '-m 1' '-B 1' -o -w -F '--max-count=2' '--count' '--no-filename'; do
    # shellcheck disable=SC2086 # several words
    both $options "$word"
done
both -e "$word" -e needle
both nothingatall
both -e"$word"
echo needle >patterns
both -f patterns
[ "$(sluicegrep needle 'name with $(blanks).zst')" = 'a needle' ]
[ "$(sluicegrep -H needle 'name with $(blanks).zst')" = 'name with $(blanks).zst:a needle' ]
[ "$(sluicegrep needle <b.gz)" = 'two needle' ]
sluicegrep -q needle b.gz
# A file that is missing or damaged is an error, which others do not hide.
status=0
sluicegrep needle missing b.gz >found 2>said || status=$?
[ "$status" = 2 ]
grep -q needle found
head -c 5000 a.zst >cut.zst
status=0
sluicegrep needle cut.zst b.gz >found 2>said || status=$?
[ "$status" = 2 ]
grep -q needle found
# All that is printed comes from the content.
command -v less >&9 || exit 0
same <(TERM=dumb sluiceless a.zst) a
same <(TERM=dumb sluiceless 'name with $(blanks).zst') 'name with $(blanks)'
