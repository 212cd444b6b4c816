# Whatever its names are, and whatever wildcards are asked for: an archive of 1 MiB is listed and searched within a second of
# the processor's time; without optimization, within ten.
needs python3
cat >hostile.py <<'END'
import io, os, resource, subprocess, sys, tarfile
sluice = sys.argv[1]
most = 10 if "/debug/" in os.path.realpath(sluice) else 1
size = 1 << 20
def archive(members):
    """A tar of names, of headers of pax, and of what they are: of a mebibyte, a little more or less."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as made:
        for name, kind, link, headers in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.pax_headers = kind, link, headers
            made.addfile(member)
    return data.getvalue()
def names(count, length, text, kind=tarfile.REGTYPE):
    parts = [f"{number}" + text * (length // len(text)) for number in range(count)]
    return archive((f"{number}", kind, name, {}) if kind == tarfile.LNKTYPE else (name, kind, "", {})
                   for number, name in enumerate(parts))
def holes():
    records = "".join(sorted_record("GNU.sparse.size", "900000000"))
    for number in range(15000):
        records += sorted_record("GNU.sparse.offset", number * 1024) + sorted_record("GNU.sparse.numbytes", 1)
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, len(records)
    body = records.encode() + b"\0" * (-len(records) % 512)
    return header.tobuf(tarfile.USTAR_FORMAT) + body + tarfile.TarInfo("x").tobuf(tarfile.USTAR_FORMAT) + b"\0" * 1024
def sorted_record(key, value):
    rest = f" {key}={value}\n"
    length = len(rest) + 1
    while len(str(length)) + len(rest) != length:
        length += 1
    return f"{length}{rest}"
archives = {
    "one name of half a million directories": names(1, size - 4096, "a/"),
    "names of two thousand directories": names(200, 4000, "a/"), "names of five hundred": names(600, 1000, "a/"),
    "names in one directory": names(700, 512, "b"), "long targets": names(200, 4000, "../", tarfile.LNKTYPE),
    "many members": names(2000, 0, "a"), "names of one letter": names(60, 16000, "a"),
    "links to one name": archive(("same", tarfile.LNKTYPE if number else tarfile.REGTYPE, "same", {}) for number in range(2000)),
    "many records": archive([("x", tarfile.REGTYPE, "", {f"SCHILY.xattr.{number}": "x" for number in range(40000)})]),
    "many holes": holes(),
}
patterns = ["*[ab]*[!b]*[a]*c", "*" + "a" * 60 + "c", "*/a*/*a/*?*[!a]*x", "none"]
slow = []
def spent(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run([sluice, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode not in (0, 1):
        slow.append(f"{words}: ends with {ended.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
for name, content in archives.items():
    for index in [], ["--members"]:
        with open("a.tar", "wb") as file:
            file.write(content)
        subprocess.run([sluice, "-qf", *index, "a.tar", "-o", "a.tar.zst"], check=True)
        calls = [["-lq", "--members", "a.tar.zst"]]
        calls += [["-dqc", f"--member={pattern}", "a.tar.zst"] for pattern in (patterns[1:] if index else patterns[:2])]
        # Forty patterns at once, too.
        calls.append(["-dqc", *(f"--member={number}*a*b{number}" for number in range(40)), "a.tar.zst"])
        for call in calls:
            seconds = spent(*call)
            print(f"{seconds:.2f} {name} {index} {call[-2][:40]}")
            if seconds > most:
                slow.append(f"{name} {index}: {call[:2]} takes {seconds:.2f} s")
sys.exit("\n".join(slow) or 0)
END
python3 hostile.py "$SLUICE" >&9 2>"$messages" || fail "$(cat "$messages")"
