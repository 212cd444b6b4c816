needs python3
corpus text 2M >a
"$SLUICE" -q -B300K --align=1M a -o own.zst
zstd -q a -o one.zst
split -b 700K a piece.
for piece in piece.*; do zstd -q --no-check "$piece"; done
cat piece.*.zst >several.zst
zstd -q - <a >unknown.zst
cat >check.py <<'END'
import json, os, subprocess, sys
content = open("a", "rb").read()
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    listing = json.loads(subprocess.check_output([os.environ["SLUICE"], "-l", "--frames", "--json", name]))
    assert listing["version"] == 4
    (file,) = listing["files"]
    frames = file["frameList"]
    assert len([frame for frame in frames if frame.get("contentBytes") != 0]) == file["frames"], frames
    place = 0
    for frame in frames:
        assert frame["offset"] == place
        place += frame["compressedBytes"]
        if frame.get("contentBytes"):
            piece = subprocess.run(["zstd", "-dqc"], input=data[frame["offset"]:place], stdout=subprocess.PIPE, check=True).stdout
            start = frame["contentOffset"]
            assert piece == content[start:start + frame["contentBytes"]]
            if name in ("own.zst", "one.zst"):
                assert data[place - 4:place][::-1].hex() == frame["xxh64"]
            else:
                assert "xxh64" not in frame
END
python3 check.py own.zst one.zst several.zst
"$SLUICE" -l --frames --json unknown.zst | grep -q '"contentOffset" *: *0'
"$SLUICE" -l --frames --json unknown.zst | grep -q contentBytes && fail 'a size that no header has'
# For people.
"$SLUICE" -l --frames own.zst >table
grep -qE '^Offset +Compressed +Content offset +Content +XXH64$' table || grep -qE '^ *Offset' table
[ "$(wc -l <table)" -gt 8 ]
# -v lists them, too, where they can be found, and not in the report for programs.
same <("$SLUICE" -lv own.zst | tail -n +3) <("$SLUICE" -l --frames own.zst | tail -n +3)
[ "$("$SLUICE" -lv - < <(cat own.zst) | wc -l)" = 2 ]
"$SLUICE" -lv --json own.zst | grep -q frameList && fail 'frames that nobody asked for'
fails "$SLUICE" --frames a
fails "$SLUICE" -l --members --frames own.zst
