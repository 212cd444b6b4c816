# The same bytes, messages, codes and metadata: a limit of the rate, which is never reached, has it go the long way.
corpus text 50K >plain
corpus zeros 200K >holes
"$SLUICE" -q -c plain >good.zst
cat good.zst good.zst >two.zst
{ cat good.zst good.zst && echo damaged; } >tail.zst
{ head -c 3000 good.zst; printf x; tail -c +3002 good.zst; } >bad.zst
{ cat good.zst && head -c 3000 good.zst; } >cut.zst
"$SLUICE" -q -c -D "$FIXTURES/dictionary.raw" plain >dictionary.zst
gzip -c plain >packed.gz
: >empty
printf 'neither\n' >foreign.zst
mkdir folder
chmod 640 plain
touch -d '2001-02-03 04:05:06.789' plain

# In a folder each, from the same files.
try() {
    local way=$1 code=0
    shift
    rm -rf "$LOGS/$way"
    mkdir "$LOGS/$way"
    cp -a . "$LOGS/$way"
    (cd "$LOGS/$way" && "$@" >"$LOGS/$way.out" 2>"$LOGS/$way.err") || code=$?
    echo "$code" >>"$LOGS/$way.err"
    # All that is there: what it is, and its content.
    (cd "$LOGS/$way" && find . -type f -printf '%P %m %s %b %T@\n' | sort && find . -type f -print0 | sort -z | xargs -0 cksum) |
        sed -E 's/ [0-9.]+$//' >"$LOGS/$way.files"
}
compare() {
    try short "$@"
    try long "$@" --limit-rate=1T
    for kind in out err; do cmp "$LOGS/short.$kind" "$LOGS/long.$kind" >&9 || fail "$kind: $*: $(cat "$LOGS/short.$kind")"; done
    diff "$LOGS/short.files" "$LOGS/long.files" >&9 || fail "other files: $*"
}

for words in plain '-c plain' '-o out plain' '-f -o plain.zst plain' '-o nowhere/out plain' '-o folder plain' '--rm plain' \
    '-c --rm plain' '--no-sync plain' '--rm --no-sync plain' '-o good.zst plain' '-f -o good.zst plain' '-o /dev/full plain' \
    '-M40M plain' '-M1M plain' '--hash plain' '--hash -c plain' '--verify plain' '--verify=file plain' '-19 --no-check plain' \
    '-B64K plain' '-B16K plain' '--rsyncable plain' '-D missing plain' "-D $FIXTURES/dictionary.raw plain" 'missing' 'folder' \
    'empty' '-c empty' '--output-dir-flat=folder plain' 'plain holes' '-c plain holes' 'plain missing holes' \
    '-d good.zst' '-d -c good.zst' '-d -c two.zst' '-d two.zst' '-d -c tail.zst' '-d tail.zst' '-d -c bad.zst' '-d bad.zst' \
    '-d --rm bad.zst' '-d -f --rm -o out good.zst' '-d -c cut.zst' '-d -o out cut.zst' '-t good.zst' '-t bad.zst' '-t cut.zst' \
    '-t two.zst tail.zst' '-d -c dictionary.zst' "-d -c -D $FIXTURES/dictionary.raw dictionary.zst" '-d -c packed.gz' \
    '-t packed.gz' '-d -c foreign.zst' '-d -c -f foreign.zst' '-d plain' '-d -M16M -c good.zst' '-d --no-check -c bad.zst' \
    '-d --hash -c good.zst' '-d -o /dev/full good.zst' '--recover -c bad.zst' '-d --sparse -o out two.zst' \
    "-d -c $FIXTURES/zeros-70MB.zst" "-d -c $FIXTURES/window-128MiB.zst" "-d -c $FIXTURES/window-2GiB.zst" \
    "-d -c $FIXTURES/skippable-frames-around.zst" "-d -c $FIXTURES/empty-file.zst" "-d -c $FIXTURES/empty-content.zst"; do
    # shellcheck disable=SC2086
    compare "$SLUICE" -q $words
done
# From a pipe that has ended, and from the middle of a file.
from_pipe() {
    local input=$1
    shift
    mkfifo pipe
    exec 7<>pipe 8<pipe
    cat "$input" >&7
    exec 7>&-
    rm pipe
    "$@" <&8
}
from_middle() {
    local input=$1
    shift
    { head -c 5 >/dev/null && "$@"; } <"$input"
}
for input in plain empty good.zst two.zst tail.zst bad.zst cut.zst packed.gz foreign.zst; do
    for words in '' '-o out' '-d' '-d -o out' '-t' '--stream-size=7' '--hash'; do
        # shellcheck disable=SC2086
        compare from_pipe $input "$SLUICE" -q $words
        # shellcheck disable=SC2086
        compare from_middle $input "$SLUICE" -q $words
    done
done
