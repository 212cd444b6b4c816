# Slow: more than most.
# The command lines and what may differ: command-lines.txt.
needs python3 xz lzma lz4
[[ $(zstd -qV) = 1.5.4 ]] || skip "the table is that of zstd 1.5.4"
# Thousands of small files, each synced: in memory if that is allowed.
mkdir disk
mount -t tmpfs -o size=512m tmpfs disk || true
cd disk
source "$SCRIPTS/zstd/command-lines.bash"
env -u BASH_ENV python3 -B "$SCRIPTS/zstd/command-lines.py" "$SCRIPTS/zstd/command-lines.txt" "$SLUICE"
