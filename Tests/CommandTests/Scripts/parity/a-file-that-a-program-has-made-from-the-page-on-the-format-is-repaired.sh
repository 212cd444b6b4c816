# Sixty lines of Python that know only docs/format.md.
needs python3
corpus random 20K >a
"$SLUICE" -q --single-frame a -o frame.zst
python3 "$FIXTURES/write-parity.py" frame.zst whole.zst 2>/dev/null || skip 'Python has no libxxhash'
works "$SLUICE" -qt --parity whole.zst
python3 -c 'import os; f = os.open("whole.zst", os.O_RDONLY); w = bytearray(os.read(f, 1 << 20)); w[700:2200] = bytes(1500); w[9000] ^= 1; open("damaged.zst", "wb").write(w)'
fails "$SLUICE" -qt damaged.zst
works "$SLUICE" -q --repair damaged.zst -o repaired.zst
same repaired.zst whole.zst
works "$SLUICE" -q -d --recover damaged.zst -o content
same content a
