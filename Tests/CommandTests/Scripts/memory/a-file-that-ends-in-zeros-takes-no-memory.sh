# A torn download, or a crash: behind a header zeros are empty blocks without end. They took as much memory as there were.
corpus text 9M >a
zstd -q a -o single.zst
"$SLUICE" -q -B4M a -o many.zst
printf '\x28\xb5\x2f\xfd\x00\x58' >header
if is_long; then mib=150; else mib=48; fi
zeros() { head -c ${mib}M /dev/zero; }
for kind in header single many; do
    case $kind in
    header) cp header torn ;;
    # Somewhere in the middle of the first frame, and of a later one.
    *) head -c "$(($(size $kind.zst) * 3 / 5))" $kind.zst >torn ;;
    esac
    zeros >>torn
    for words in '-T2' '-T1'; do
        peak=$(perl "$SCRIPTS/peak.pl" bash -c "exec \"$SLUICE\" -dcqq $words torn >out")
        [ "$peak" -lt 40000 ] || fail "$kind: $peak KiB"
        prefix_of out a
        [ $kind = header ] || [ -s out ]
    done
    fails "$SLUICE" -q -t torn
    exits 1 "$SLUICE" -qq -d <torn >out
done
