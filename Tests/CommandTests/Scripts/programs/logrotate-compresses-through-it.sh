PATH=$PATH:/usr/sbin
needs logrotate
source "$SCRIPTS/programs/names.bash"
cat >config <<END
"$PWD/log" {
    size 1
    rotate 3
    compress
    compresscmd $PWD/zstd-is-ours/zstd
    uncompresscmd $PWD/zstd-is-ours/unzstd
    compressext .zst
    compressoptions -9 -q
    create 0640
}
END
chmod 644 config
for turn in 1 2 3 4 5; do
    corpus text 200K | sed "s/^/$turn /" >log
    chmod 600 log
    logrotate --state "$PWD/state" config
    cp log.1.zst kept.$turn
done
# The newest is the first, and the oldest are gone.
for number in 1 2 3; do
    corpus text 200K | sed "s/^/$((6 - number)) /" >wanted
    "$real" -dcq log.$number.zst | same /dev/stdin wanted
    zstdcat log.$number.zst | same /dev/stdin wanted
    [ "$(stat -c %a log.$number.zst)" = 600 ]
done
absent log.4.zst log.1
# A compression that fails keeps the log.
corpus text 200K >log
cp log wanted
sed -i 's/compressoptions .*/compressoptions --no-such-option/' config
refuses logrotate --state "$PWD/state" config
same log.1 wanted
