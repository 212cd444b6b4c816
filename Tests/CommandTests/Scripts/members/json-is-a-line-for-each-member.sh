needs python3
. "$SCRIPTS/members/tools.bash"
tree
tar --format=pax -cSf a.tar tree
works "$SLUICE" -q --members a.tar
works "$SLUICE" -l --members --json a.tar.zst >lines
env -u BASH_ENV python3 - <<'PY'
import base64, json, os, tarfile
schema = json.load(open(os.environ["ROOT"] + "/docs/members.schema.json"))
members = [json.loads(line) for line in open("lines", encoding="utf-8")]
try:
    import jsonschema
    for member in members:
        jsonschema.validate(member, schema)
except ImportError:
    assert all(set(member) <= set(schema["properties"]) for member in members)
tar = tarfile.open("a.tar", errors="surrogateescape").getmembers()
assert len(tar) == len(members)
for wanted, member in zip(tar, members):
    name = base64.b64decode(member["nameBase64"]) if "nameBase64" in member else member["name"].encode()
    assert name.rstrip(b"/") == os.fsencode(wanted.name), (name, wanted.name)
    assert (member["bytes"], member["mode"], member["uid"], member["gid"]) == (
        wanted.size, wanted.mode, wanted.uid, wanted.gid), (member, wanted.size)
    assert member["modified"] + member["modifiedNanoseconds"] / 1e9 - wanted.mtime < 1e-6
    assert member.get("link", "") == wanted.linkname
PY
