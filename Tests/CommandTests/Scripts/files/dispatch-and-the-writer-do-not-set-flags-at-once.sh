# Dispatch reads the flags of a descriptor and sets them again, on a thread of its own, when it begins with it. Were
# O_DIRECT set or cleared between the two, it would be lost, or come back: then the last bytes are no whole page, and
# the write fails (trap 15 in docs/dispatch-on-linux.md). So ours come after Dispatch's.
needs strace
[[ $(stat -f -c %T .) =~ ^(ext2/ext3|xfs)$ ]] || skip "only ext4 and xfs are known to write past the page cache"
# The short way of a small file has no channel, unless it is said who reads.
for size in 1 3M; do
    corpus random $size >a
    works strace -f -qq -s0 -o "$LOGS/strace" -e trace=statx,fcntl "$SLUICE" -qf --read=dispatch a
    # The descriptor of the output, and what is done to it after it was looked at: first we ask whether it appends.
    output=$(sed -n 's/.* statx(\([0-9]*\), "".*DIO.*/\1/p' "$LOGS/strace" | tail -n 1)
    calls=$(sed -n "/statx($output, /,\$p" "$LOGS/strace" | grep -oE "fcntl\($output, F_.ETFL.*" |
        sed 's/.*F_GETFL.*/get/; s/.*O_DIRECT.*/direct/; s/.*F_SETFL.*/cached/' | paste -sd ' ')
    [ "$calls" = 'get get cached get direct get cached cached' ] || fail "of a of $size bytes: $calls"
done
# By chance, as it was found: one in some thousand failed.
for index in {1..200}; do
    echo "$index" >file$index
    ln -s file$index link$index
done
for _ in 1 2 3; do works "$SLUICE" -qf -v link*[0-9]; done
