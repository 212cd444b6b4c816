# Its size says where the next frame is; all that reads a file goes there.
needs python3
needs strace
corpus text 300K >plain
"$SLUICE" -q -c -B64K plain >frames
env -u BASH_ENV python3 - <<'PY'
frames = open("frames", "rb").read()
with open("file.zst", "wb") as file:
    file.write(frames)
    file.write((0x184D2A53).to_bytes(4, "little") + (0xFFFFFFF0).to_bytes(4, "little"))
    file.seek(0xFFFFFFF0, 1)
    file.write(frames)
PY
cat plain plain >wanted
# Bytes that all calls read.
bytes_read() { awk -F'= ' '/read/ && $NF > 0 { sum += $NF } END { print sum + 0 }' calls; }
traced() {
    works timeout 60 strace -f -qq -e trace=read,pread64,readv,preadv -o calls "$SLUICE" "$@" >out
    [ "$(bytes_read)" -gt 1000 ] || fail "strace saw nothing: $(head calls)"
    [ "$(bytes_read)" -lt 50000000 ] || fail "$*: $(bytes_read) bytes were read"
}
traced -dc file.zst
same out wanted
traced -dc -T1 file.zst
same out wanted
traced -t file.zst
traced -l file.zst
traced -lv file.zst
traced -dc --range=409600-511999 file.zst
same out <(tail -c +$((400 * 1024 + 1)) wanted | head -c $((100 * 1024)))
traced -d --recover file.zst -o recovered
same recovered wanted
# At the end of a file it is a hole, or zeros, and not the end of the data.
env -u BASH_ENV python3 - <<'PY'
with open("end.zst", "wb") as file:
    file.write(open("frames", "rb").read() + (0x184D2A53).to_bytes(4, "little") + (0xFFFFFFF0).to_bytes(4, "little"))
    file.truncate(file.tell() + 0xFFFFFFF0)
PY
traced -t end.zst
traced -d --recover -f end.zst -o recovered
same recovered plain
