corpus text 3M >a
corpus random 1M >b
: >empty
truncate -s 12M sparse
corpus random 1M | dd of=sparse bs=1M seek=6 conv=notrunc status=none
printf data >"$(printf 'new\nline\\')"
sums() { sha256sum "$@" >wanted; }
# Whoever reads and cuts: many frames, one, small files side by side, a pipe.
for words in -T1 '-T4 -B1M' --long '-T4 --read=workers' '-1 -M64M --limit-rate=10G'; do
    for name in a b empty sparse; do
        sums $name
        # shellcheck disable=SC2086
        works "$SLUICE" -qf $words --hash $name >out
        same out wanted
        # shellcheck disable=SC2086
        works "$SLUICE" -q ${words/--read=workers/} --hash -dc $name.zst 2>"$messages" >content
        same "$messages" wanted
        same content $name
        works "$SLUICE" -q --hash -t $name.zst >out
        same out wanted
    done
done
zstd -qf -1 a
works "$SLUICE" -q -t --hash=sha256 a.zst >out
sums a
same out wanted
gzip -c b >b.gz
works "$SLUICE" -qdf --hash b.gz >out
sums b
same out wanted
# Many: in their order, for sha256sum to check.
mkdir many
for index in {1..50}; do head -c $((index * 3000)) b >many/$index; done
sums many/*
works "$SLUICE" -q -T4 --hash many/* >out
same out wanted
rm many/? many/??
works "$SLUICE" -qd --hash many/*.zst >out
same out wanted
works sha256sum --quiet -c out
sums many/[0-9] many/[1-5][0-9] "$(printf 'new\nline\\')"
works "$SLUICE" -qf --hash many/[0-9] many/[1-5][0-9] "$(printf 'new\nline\\')" >out
same out wanted
# Standard input has no name; where the data goes to standard output, the line does not.
for words in -q '-q --copy'; do
    # shellcheck disable=SC2086
    works "$SLUICE" $words --hash <a >data
    sha256sum <a | same /dev/stdin "$messages"
done
same data a
works "$SLUICE" -q --hash -o x.zst <a >out
sha256sum <a | same /dev/stdin out
for name in md5 sha1 sha224 sha384 sha512; do
    "${name}sum" a >wanted
    works "$SLUICE" -qf --hash=$name a >out
    same out wanted
done
b2sum a >wanted
works "$SLUICE" -qf --hash=blake2b512 a >out
same out wanted
# Nothing is said of what failed.
head -c 100K a.zst >cut.zst
fails "$SLUICE" -q -t --hash cut.zst >out
[ ! -s out ]
if [ -w /dev/full ]; then
    fails "$SLUICE" -qf --hash b >/dev/full
    says 'standard output: '
fi
# Words.
fails "$SLUICE" --hash=crc32 a
says '--hash takes md5, sha1'
fails "$SLUICE" --hash md5 a
says '--hash and its value must be one word'
works "$SLUICE" -l --hash a.zst
says 'warning: --hash is ignored'
