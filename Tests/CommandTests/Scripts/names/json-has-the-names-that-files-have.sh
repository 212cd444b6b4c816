# A program that reads it can open the files: control characters are escaped as JSON does, and other bytes told beside.
. "$SCRIPTS/statistics/tools.bash"
corpus text 10K >content
cat >check.py <<'END'
import base64, json, os, sys
wanted = os.fsencode(sys.argv[1])
def is_same(text, encoded, wanted):
    try:
        assert text == wanted.decode() and encoded is None, (text, encoded, wanted)
    except UnicodeDecodeError:
        assert base64.b64decode(encoded, validate=True) == wanted, (text, encoded, wanted)
        assert text == wanted.decode(errors="replace"), (text, wanted)
for kind in "list", "lost":
    entry, = json.load(open(kind))["files"]
    is_same(entry["name"], entry.get("nameBase64"), wanted + b".zst")
for line in open("progress"):
    progress = json.loads(line)
    if "file" in progress:
        is_same(progress["file"], progress.get("fileBase64"), wanted + b".zst")
run = json.load(open(b"stats." + wanted))["run"]
is_same(run["inputs"][0], run.get("inputsBase64", [None])[0], wanted)
is_same(run["outputs"][0], run.get("outputsBase64", [None])[0], wanted + b".zst")
END
for name in $'new\nline' $'\e[31mred' $'u\u0308 \u202eright' $'\u0085next' 'back\slash' '"quoted"' $'not \xff\xfe utf-8'; do
    cp content "$name"
    works "$SLUICE" -q --stats-file="stats.$name" -- "$name"
    works "$SLUICE" --progress=json --interval=0.05 --limit-rate=20K -t "$name.zst"
    grep '^{' "$messages" >progress
    grep -q '"file":' progress || fail "no file in $(cat progress)"
    works "$SLUICE" -l --json "$name.zst" >list
    printf 'x' | dd of="$name.zst" bs=1 seek=60 conv=notrunc status=none
    exits 1 "$SLUICE" -q -d --recover --json "$name.zst" -o back >lost
    if LC_ALL=C.UTF-8 grep -qP '[\x00-\x08\x0b-\x1f\x7f-\x9f\x{202e}]' list lost progress "stats.$name"; then
        fail "control characters for ${name@Q}"
    fi
    python check.py "$name" >&9 2>&9 || fail "for ${name@Q}"
    rm -f back
done
# In the order of the names, with nothing for those that are text; of a dictionary, too.
name=$'not \xff\xfe utf-8'
works "$SLUICE" -qf --stats-file=stats -D "$name" content "$name.zst"
python - <<'END' >&9 2>&9 || fail "$(cat stats)"
import base64, json
run = json.load(open("stats"))["run"]
assert run["inputsBase64"][0] is None and base64.b64decode(run["inputsBase64"][1]) == b"not \xff\xfe utf-8.zst", run
assert base64.b64decode(run["dictionaryBase64"]) == b"not \xff\xfe utf-8", run
END
