needs python3
mkdir -p tree/{a,b}
for number in {1..120}; do corpus text 3K >"tree/a/$number"; done
for number in {1..80}; do corpus text 4K >"tree/b/$number"; done
touch tree/a/x.png
works "$SLUICE" -r --exclude-compressed tree --progress=json --rm
tail -n 1 "$messages" >last
env -u BASH_ENV python3 - <<'END'
import json
last = json.load(open("last"))
assert (last["filesDone"], last["files"]) == (200, 200), last
assert last["totalBytes"] == 120 * 3072 + 80 * 4096, last
END
echo broken >tree/a/x.zst
fails "$SLUICE" -dr tree
says '200 of 201 files OK, 1 failed: '
says 'left out 1 file: without a known suffix'
