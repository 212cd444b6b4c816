# Killed at any moment, and gone on with, as often as it takes: the bytes are those of a run that nobody disturbed. What is believed of
# the output of an earlier run: ByteStreamsTests/ResumeComparisonTests.
if is_long; then turns=40 size=24M; else turns=5 size=5M; fi
corpus text $size >a
"$SLUICE" -q -19 -B256K a -o whole.zst
kills=0
for ((turn = 0; turn < turns; turn++)); do
    signal=$(shuf -n 1 -e KILL KILL TERM INT HUP)
    env --default-signal=INT,TERM,HUP "$SLUICE" -q -19 -B256K --resume a -o out.zst 2>/dev/null &
    sleep "0.$(shuf -n 1 -i 10-40)"
    kill "-$signal" $! 2>/dev/null || true
    if wait $!; then
        same out.zst whole.zst
        absent .out.zst.part
        rm -f out.zst .out.zst.part.note
    else
        kills=$((kills + 1))
        [ ! -e out.zst ] || { same out.zst whole.zst && rm out.zst; }
    fi
done
works "$SLUICE" -q -19 -B256K --resume a -o out.zst
same out.zst whole.zst
absent .out.zst.part .out.zst.part.note
[ "$kills" -gt 1 ] || fail "only $kills kills"
echo "$kills kills"
