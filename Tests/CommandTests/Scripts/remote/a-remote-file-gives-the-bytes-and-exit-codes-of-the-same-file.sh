# What is done with a file of a server gives what the same does with the file: bytes, listings and exit codes.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
mkdir web
corpus text 3M >plain
works "$SLUICE" -q -B128K plain -o web/file.zst
zstd -qc plain >web/no-table.zst
: >web/empty
printf 'a few bytes\n' >web/small
zstd -qc web/empty >web/empty.zst
cp plain web/plain
mkdir -p tree/folder
for number in {1..40}; do corpus text 20K | tail -c $((number * 400)) >"tree/folder/$number"; done
tar cf tree.tar tree
works "$SLUICE" -q -B100K --members tree.tar -o web/tree.tar.zst
zstd -qc tree.tar >web/stream.tar.zst
corpus text 2M >text
works "$SLUICE" -q -B16K text -o web/small-frames.zst
works "$SLUICE" -q -B300K text -o web/large-frames.zst
# Damaged in the middle.
cp web/file.zst web/damaged.zst
printf 'damage' | dd of=web/damaged.zst bs=1 seek=400000 conv=notrunc status=none
head -c 500000 web/file.zst >web/cut.zst
serve web

# alike WORDS... NAME: gives the same for the file and by the URL, with the same exit code.
alike() {
    local -
    set +x
    local name=${*: -1} code=0 other=0
    set -- "${@:1:$#-1}"
    (cd web && "$SLUICE" "$@" "$name") >wanted 2>wanted.messages || code=$?
    "$SLUICE" "$@" "$url/$name" >got 2>got.messages || other=$?
    [ $code = $other ] || fail "exit code $other instead of $code: $* $name"
    cmp -s got wanted || sed "s,$url/,,g" got | cmp - wanted >&9 || fail "not the same: $* $name"
    cmp -s got.messages wanted.messages || sed "s,$url/,,g" got.messages | diff - wanted.messages >&9 || fail "other messages: $* $name"
}
for name in file.zst no-table.zst small-frames.zst large-frames.zst tree.tar.zst empty.zst damaged.zst cut.zst small; do
    alike -dqc "$name"
    alike -tq "$name"
    alike -lq "$name"
    alike -lv "$name"
    alike -l --json "$name"
done
for words in --offset=1M '--offset=1000000 --length=2000' --tail=1 --range=0-0 '--range=5-9 --range=-3' --offset=3M --offset=4M; do
    for name in file.zst no-table.zst damaged.zst empty.zst; do
        # shellcheck disable=SC2086  # several words
        alike -dqc $words "$name"
    done
done
for name in tree.tar.zst stream.tar.zst; do
    alike -lq --members "$name"
    alike -dqc --member=tree/folder/7 "$name"
    alike -dqc --member='tree/folder/1*' --as-tar "$name"
    alike -dqc --member=nothing "$name"
done
for part in 1 2 3; do alike -dqc --part=$part/3 file.zst; done
# The damage of a seek table has another remedy.
cp web/file.zst web/damaged-table.zst
printf 'damage' | dd of=web/damaged-table.zst bs=1 seek=$(($(size web/file.zst) - 60)) conv=notrunc status=none
alike -dqc damaged-table.zst
refuses "$SLUICE" -dqc --offset=1M "$url/damaged-table.zst"
alike -dqc --recover damaged.zst
alike -dqc --recover cut.zst
# Compressing.
for name in plain small empty; do alike -qc "$name"; done
alike -tq --against=plain file.zst
works "$SLUICE" -tq --against="$url/plain" web/file.zst
works "$SLUICE" -tq --against="$url/plain" "$url/no-table.zst"
fails "$SLUICE" -tq --against="$url/small" web/file.zst
fails "$SLUICE" -tq --against="$url/none" web/file.zst
says "$url/none"
# An index that is kept here.
for _ in 1 2; do head -c 1500K plain | zstd -qc -; done >web/no-sizes.zst
works "$SLUICE" -dqc --offset=1M --index=positions "$url/no-sizes.zst" >got
cmp got <(head -c 1500K plain | cat - <(head -c 1500K plain) | tail -c +1048577)
[ -s positions ] || fail "there is no index"
works "$SLUICE" -dqc --tail=9 --index=positions "$url/no-sizes.zst" >got
cmp got <(head -c 1500K plain | tail -c 9)
# Output is named after the last part of the path, and lies here.
mv tree.tar original.tar
works "$SLUICE" -dq "$url/file.zst" "$url/tree.tar.zst?query=1" "$url/none/../no-table.zst"
same file plain
same tree.tar original.tar
same no-table plain
works "$SLUICE" -q "$url/small"
zstd -dqc small.zst | cmp - web/small
works "$SLUICE" -q "$url/plain" -o other.zst
zstd -dqc other.zst | cmp - plain
mkdir into
works "$SLUICE" -dq --output-dir-flat=into "$url/file.zst"
same into/file plain
no_leftovers
