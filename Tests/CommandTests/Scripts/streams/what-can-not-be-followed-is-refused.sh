# Each in one sentence, and nothing is written.
refusal() {
    local text=$1
    shift
    fails timeout 20 "$@" >out
    says "$text"
    [ ! -s out ] || fail "written: $*"
}
echo text | "$SLUICE" -qc >log.zst
gzip <log.zst >log.gz
mkfifo pipe
refusal '--follow only works with -d' "$SLUICE" --follow log.zst
refusal '--follow only works with -d' "$SLUICE" -t --follow log.zst
refusal '--follow only works with -d' "$SLUICE" -l --follow log.zst
refusal 'a file gets its name only at the end' "$SLUICE" -d --follow log.zst -o new
refusal 'a file gets its name only at the end' "$SLUICE" -d --follow log.zst --output-dir-flat .
refusal '--follow takes one file' "$SLUICE" -dc --follow log.zst log.gz
refusal '--follow takes one file' "$SLUICE" -dc -r --follow .
refusal '--follow takes a named file, not standard input' "$SLUICE" -dc --follow
refusal '--follow needs a file of this machine' "$SLUICE" -dc --follow http://localhost/log.zst
refusal 'pipe: is not a file' "$SLUICE" -dc --follow pipe
refusal '.: is a directory' "$SLUICE" -dc --follow .
refusal "nowhere/log.zst: can't open: no such file or directory" "$SLUICE" -dc --follow nowhere/log.zst
refusal 'log.gz: is in gzip format: only Zstandard can be followed' "$SLUICE" -dc --follow log.gz
refusal '--follow takes name or stream' "$SLUICE" -dc --follow=file log.zst
for words in --offset=1 --length=1 --range=0-1 --member=a --members --part=1/2 --recover --resume --hash=sha256 --rm \
    --ignore-zeros --buffer-start=50; do
    refusal "can't be combined" "$SLUICE" -d --follow "$words" log.zst
done
absent new log
# Where the last bytes begin is not known in frames that do not say their size.
zstd -qc <log.gz >unsized.zst
refusal 'where its last bytes begin is not known' "$SLUICE" -dc --follow --tail=1 unsized.zst
# Damage is an error, as everywhere.
{ head -c 12 log.zst; printf X; tail -c +14 log.zst; } >damaged.zst
fails timeout 20 "$SLUICE" -dc --follow damaged.zst >out
