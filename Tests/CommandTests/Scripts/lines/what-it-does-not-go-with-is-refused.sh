. "$SCRIPTS/lines/tools.bash"
log 3000 >log
for option in --rsyncable --members --single-frame --long --max --flush-interval=1 --align=64K --resume --patch-from=log; do
    fails "$SLUICE" --lines $option -o out.zst log
    says '--lines'
done
fails "$SLUICE" --lines=1 log
says 'newline or 0'
# A line that is too long, of a file, from a pipe and in parts.
{ head -n 900 log; head -c 300000 /dev/zero | tr '\0' x; echo; cat log; } >long
for way in 'long -o out.zst' '-o out.zst --part=1/2 long' '-o out.zst'; do
    # shellcheck disable=SC2086
    fails "$SLUICE" --lines -B64K $way <long
    says 'a line is too long for frames of whole lines: none ends before byte'
    says 'a larger --frame-size makes room for it'
    absent out.zst
done
works "$SLUICE" -q --lines -B256K long
works "$SLUICE" -dcq long.zst | cmp - long
# Where nothing is compressed it says nothing, as other options for compression.
works "$SLUICE" -d --lines -c long.zst >&9
says '--lines'
# What was run is told.
works "$SLUICE" -qf --lines -B256K --stats=json long
says '"lineEnd" : 10'
