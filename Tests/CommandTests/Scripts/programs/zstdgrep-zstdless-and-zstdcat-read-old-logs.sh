needs bzip2
source "$SCRIPTS/formats/make.bash"
needs zstdgrep
seq 1 30000 | sed 's/$/ said so/' >log
pack log
source "$SCRIPTS/programs/names.bash"
for name in log.zst log.gz log.xz log.lzma log.lz4; do
    [ "$(zstdgrep -c '7 said' "$name")" = 3000 ] || fail "zstdgrep counts wrongly in $name"
    [ "$(zstdgrep -c '7 said' <"$name")" = 3000 ] || fail "zstdgrep counts wrongly in $name as standard input"
    exits 1 zstdgrep -q 'never said' "$name"
    works zstdcat "$name" >out
    same out log
    works unzstd -c "$name" >out
    same out log
    works zstd -t "$name"
    if command -v less >/dev/null; then zstdless "$name" </dev/null | same /dev/stdin log; fi
done
zstd -cdfq log.gz | same /dev/stdin log
# What is in no format that is read passes as it is, and only that.
works zstdcat log >out
same out log
bzip2 -ck log >log.bz2 2>/dev/null || printf 'BZh91AY&SY' >log.bz2
works zstdcat log.bz2 >out
same out log.bz2
printf '\x1f\x8bnot gzip after all' >bad
exits 1 zstdcat bad >out
[ ! -s out ]
