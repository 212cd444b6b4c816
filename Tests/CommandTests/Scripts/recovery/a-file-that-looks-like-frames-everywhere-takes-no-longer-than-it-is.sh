# Each twelve bytes begin a frame that goes on in empty blocks, up to the end of the file: to follow each would take hours.
needs python3
corpus text 10K >a
env -u BASH_ENV python3 -B - <<'PYTHON'
start = bytes.fromhex("28b52ffd0058")
open("bad", "wb").write((start + bytes(6)) * 400000)
PYTHON
zstd -qc a >good.zst
cat good.zst bad >bad.zst
fails timeout 60 "$SLUICE" -q -d --recover bad.zst -o b
same a b
says 'an unknown number lost'
# A frame that claims exbibytes, and is cut.
{ zstd -qc a; printf '\x28\xb5\x2f\xfd\xc0\x58\0\0\0\0\0\0\0\x40\x02\0\x10'; corpus random 1K; zstd -qc a; } >claim.zst
fails timeout 20 "$SLUICE" -q -d --recover claim.zst -o c
cat a a | cmp - c
