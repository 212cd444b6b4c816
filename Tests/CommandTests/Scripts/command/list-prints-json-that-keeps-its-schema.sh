. "$SCRIPTS/statistics/tools.bash"
needs_schema
corpus text 3M >a
works "$SLUICE" -q -B1M a
zstd -q a -o one.zst
zstd -q <a >unsized.zst
zstd -q --train -B4K a -o words 2>&9 || fail 'no dictionary'
zstd -q -D words a -o worded.zst
works "$SLUICE" -l --json a.zst one.zst unsized.zst worded.zst >json
cat >check.py <<'END'
import json, os, sys, jsonschema
schema = json.load(open(os.environ["ROOT"] + "/docs/listing.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
listing = json.load(open("json"))
jsonschema.Draft202012Validator(schema).validate(listing)
many, one, unsized, worded = listing["files"]
assert many["frames"] == 3 and many["skippableFrames"] == 2 and many["seekTable"] and "xxh64" not in many, many
assert many["compressedBytes"] == os.path.getsize("a.zst") and many["contentBytes"] == 3 << 20, many
assert one["frames"] == 1 and not one["seekTable"] and one["checksums"] and one["name"] == "one.zst", one
assert one["xxh64"] == sys.argv[1] and unsized["xxh64"] == sys.argv[1], one
assert "contentBytes" not in unsized and worded["dictionaryID"] == int(sys.argv[2]), listing
END
digest=$(zstd -lv one.zst | awk '/^Check/ { print $3 }')
identifier=$(zstd -lv worded.zst | awk '/^DictID/ { print $2 }')
python check.py "$digest" "$identifier" >&9 2>&9 || fail "$(cat json)"
# The table tells the same.
works "$SLUICE" -lv one.zst >list
grep -qF "XXH64 $digest" list
works "$SLUICE" -lv worded.zst >list
grep -qE " $identifier  worded.zst$" list
# A file that can't be listed is left out of it, and the object is whole.
fails "$SLUICE" -l --json missing.zst one.zst >json
[ "$(grep -c '"name"' json)" = 1 ]
fails "$SLUICE" --json a
says '--json only works with -l'
