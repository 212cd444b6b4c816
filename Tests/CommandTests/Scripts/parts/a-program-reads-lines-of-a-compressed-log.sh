# The example of the library, which every build of the tests builds too.
needs strace pzstd
lines=$(programs)/LogLines
[ -x "$lines" ] || skip 'the example is not built'
perl -e 'printf "%08d %s\n", $_ * 3, "x" x ($_ % 90) for 1 .. 200000' >log
"$SLUICE" -q -B256K log -o own.zst
zstd -q log -o one.zst
pzstd -q -p 2 log -o silent.zst
for file in own.zst one.zst silent.zst; do
    "$lines" lines 150000 150010 $file >part
    same part <(sed -n 150000,150010p log)
    # Keys that are there, that are between two lines, before the first and behind the last.
    for range in '00300000 00300300' '00000001 00000010' '00000000 00000004' '00599990 99999999' '00300001 00300002'; do
        read -r from to <<<"$range"
        "$lines" from "$from" "$to" $file >part
        same part <(awk -v from="$from" -v to="$to" '$1 "" >= from && $1 "" < to' log)
    done
done
# A search reads a few frames, and not the whole.
strace -f -qq -e trace=pread64 -o calls "$lines" from 00300000 00300300 own.zst >part
bytes=$(awk '{ sum += $NF } END { print sum + 0 }' calls)
[ "$bytes" -lt $(($(size own.zst) / 2)) ] || fail "$bytes of $(size own.zst) bytes were read"
