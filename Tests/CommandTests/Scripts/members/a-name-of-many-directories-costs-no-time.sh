# Eight names of 131,072 directories each are listed and searched at once: hashing each of these with all that is above it
# takes two seconds for each name.
needs python3
python3 - <<'END'
import tarfile
with tarfile.open("deep.tar", "w", format=tarfile.PAX_FORMAT) as archive:
    for number in range(8):
        archive.addfile(tarfile.TarInfo(f"{number}/" + "a/" * 131072 + "f"))
END
works "$SLUICE" -q deep.tar
[ "$(size deep.tar.zst)" -lt 4000 ] || fail "$(size deep.tar.zst) bytes"
# Seconds of the processor, for each command.
ulimit -t 6
works "$SLUICE" -lq --members deep.tar.zst >list
[ "$(wc -l <list)" -ge 8 ] || fail "$(wc -l <list) lines"
fails "$SLUICE" -d --member=x deep.tar.zst
says 'no member is named x'
works "$SLUICE" -q --members deep.tar -o indexed.tar.zst
fails "$SLUICE" -d --member=x indexed.tar.zst
fails "$SLUICE" -d --member='*a*a*a*b*x' indexed.tar.zst
works "$SLUICE" -dc --as-tar --member='7/*/f' indexed.tar.zst >found
[ "$(tar -tf found | wc -l)" = 1 ] || fail "$(tar -tf found | wc -l) members"
