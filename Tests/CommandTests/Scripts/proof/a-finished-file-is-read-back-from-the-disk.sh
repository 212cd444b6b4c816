# What is on the disk is read before the file has its name: behind the sync, without what the cache had, and before the
# source goes.
needs strace
. "$SCRIPTS/statistics/tools.bash"
corpus text 3M >a
cp a source
works strace -f -y -o trace -e trace=fsync,fadvise64,read,pread64,readv,preadv,linkat,renameat2,unlink,unlinkat \
    "$SLUICE" -q -B256K --no-sandbox --verify=file --rm -o out.zst source
absent source
python - "$(size out.zst)" <<'EOF'
import re, sys
seen, count, size = [], 0, int(sys.argv[1])
# Of a call that another thread's call interrupts in the trace, the end stands on a line of its own.
begun = set()
for line in open("trace", errors="replace"):
    if re.search(r"fsync\(\d+<[^>]*#", line): seen.append("sync")
    elif re.search(r"fadvise64\(\d+<[^>]*#.*DONTNEED", line): seen.append("forget")
    elif "linkat(" in line and '"out.zst"' in line: seen.append("name")
    elif re.search(r"unlink(at)?\(.*source", line): seen.append("remove")
    elif (read := re.search(r"p?readv?(?:64)?\(\d+<[^>]*#.*\) = (\d+)", line)): count += int(read[1])
    elif (read := re.match(r"(\d+) +p?readv?(?:64)?\(\d+<[^>]*#.*<unfinished", line)): begun.add(read[1])
    elif (read := re.match(r"(\d+) +<\.\.\. p?readv?(?:64)? resumed.*\) += (\d+)", line)) and read[1] in begun:
        begun.remove(read[1])
        count += int(read[2])
order = list(dict.fromkeys(seen))
assert order == ["sync", "forget", "name", "remove"], order
assert count >= size, (count, size)
EOF
works "$SLUICE" -q -dc out.zst >content
same content a

# All that can be made can be read back: many files, one of several, and what refers to something.
mkdir many
for n in 1 2 3 4 5 6; do corpus text "$n"K >"many/$n"; done
cp -r many kept
works "$SLUICE" -q --verify=file --rm -r many
[ "$(find many -type f -name '*.zst' | wc -l)" = 6 ] && [ "$(find many -type f | wc -l)" = 6 ]
for n in 1 2 3 4 5 6; do zstd -qdc "many/$n.zst" | cmp - "kept/$n"; done
works "$SLUICE" -qf --verify=file -o both.zst a kept/1
zstd -qdc both.zst | cmp - <(cat a kept/1)
works "$SLUICE" -q --verify=file --append kept/2 -o out.zst
zstd -qdc out.zst | cmp - <(cat a kept/2)
works "$SLUICE" -q --verify=file -D kept/2 -B64K -o dictionary.zst a
zstd -qdc -D kept/2 dictionary.zst | cmp - a
works "$SLUICE" -q --verify=file --patch-from=kept/2 -o patch.zst a
works "$SLUICE" -q --verify=file --verify --single-frame --long=30 -o long.zst a
works "$SLUICE" -q --verify=file --part=1/2 -B64K -o part a
mkdir flat mirror
works "$SLUICE" -q --verify=file --output-dir-flat flat a kept/3
works "$SLUICE" -qr --verify=file --output-dir-mirror mirror kept
works "$SLUICE" -q --verify=file --resume -o flat/again.zst a
zstd -qdc flat/again.zst flat/a.zst | cmp - <(cat a a)
: >empty
works "$SLUICE" -q --verify=file empty
works "$SLUICE" -q --verify=file -M64M -o small.zst a
# A disk that gives nothing away.
works strace -f -qq -o trace -e trace=fadvise64 -e inject=fadvise64:error=EBADF \
    "$SLUICE" -qf --no-sandbox --verify=file -o out.zst a
zstd -qdc out.zst | cmp - a

# What can't be read back is told before anything is made.
refusal() {
    fails timeout 20 "${@:2}"
    says "$1"
    absent a.zst
}
refusal "standard output: is not a file that --verify=file can read back" "$SLUICE" -c --verify=file a
refusal "standard output: is not a file that --verify=file can read back" "$SLUICE" --verify=file <a
refusal "--no-sync can't be combined: the file is read back from the disk" "$SLUICE" --no-sync --verify=file a
refusal "--no-check can't be combined: the checksums are what is verified" "$SLUICE" --no-check --verify=file a
refusal "--verify only works with -z" "$SLUICE" -d --verify=file out.zst
refusal "must be one word, --verify=file" "$SLUICE" --verify file a
mkfifo pipe
refusal "pipe: is not a file that --verify=file can read back" "$SLUICE" -f --verify=file -o pipe a
