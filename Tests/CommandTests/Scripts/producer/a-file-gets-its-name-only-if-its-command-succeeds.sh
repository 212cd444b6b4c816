{ corpus text 300K && corpus random 4820K; } >data
from() { "$SLUICE" "${@:2}" --from-command -- sh -c "$1"; }
works from 'cat data' -o new.zst
zstd -dcq new.zst | cmp - data
# However it fails, and however much it wrote: nothing is made, and an old file stays.
echo old >old.zst
cp old.zst kept
for size in 0 1 100 65536 1048576 3000000 5242880; do
    for end in 'exit 3' 'kill -9 $$' 'kill -PIPE $$'; do
        fails from "head -c $size data; $end" -B1M -o none.zst
        case $end in *3) how='exited with status 3' ;; *-9*) how='was killed by signal 9' ;; *) how='was killed by signal 13' ;; esac
        says "sh $how; none.zst was not created"
        fails from "head -c $size data; $end" -f -B1M -o old.zst
        says 'old.zst is unchanged'
        same old.zst kept
    done
done
says_of() { grep -qxF "sluice: $1" "$messages" || fail "no '$1' in $(cat "$messages")"; }
fails from 'exit 255' -o none.zst
says_of 'sh exited with status 255; none.zst was not created'
fails "$SLUICE" -o none.zst --from-command -- ./nowhere
says_of "can't run nowhere: no such file or directory; none.zst was not created"
fails "$SLUICE" -o none.zst --from-command -- nothing-of-that-name x
says_of "can't run nothing-of-that-name: command not found; none.zst was not created"
fails "$SLUICE" -o none.zst --from-command -- ./data
says_of "can't run data: permission denied; none.zst was not created"
# A file that may not be replaced is found before the command starts.
fails from 'touch started; cat data' -o old.zst
absent none.zst started
no_leftovers
# With everything that takes standard input.
tar -cf data.tar data
for options in -19 --rsyncable --single-frame --long=27 --hash --limit-rate=1G --buffer=8M --adapt --verify=file --lines \
    --no-sandbox --stream-size=5242880 --flush-interval=9 -T1 -M64M --on-full=wait --members; do
    # shellcheck disable=SC2086
    works from "cat $([ "$options" = --members ] && echo data.tar || echo data)" -q $options -o "with$options.zst" >/dev/null
    zstd -dcq --long=27 "with$options.zst" | cmp - "$([ "$options" = --members ] && echo data.tar || echo data)"
    # shellcheck disable=SC2086
    fails from "cat data.tar; exit 1" -q $options -o none.zst >/dev/null
    absent none.zst
done
fails from 'head -c 5 data' --stream-size=6 -o none.zst
absent none.zst
works from 'cat data' --copy -o copy
same copy data
cp new.zst grown.zst
works from 'cat data' --append -o grown.zst
zstd -dcq grown.zst | cmp - <(cat data data)
fails from 'cat data; exit 1' --append -o new.zst
says 'new.zst is unchanged'
zstd -dcq new.zst | cmp - data
# What has no meaning with it.
for words in '-d -o x' '-t' '--part=1/2' '--resume -o x' '-r' '--filelist=x' '-l' '--join -o x' 'data'; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words --from-command -- cat data
done
fails "$SLUICE" --from-command data
says 'needs a command after --'
# Words reach it as they are, empty ones too.
"$SLUICE" -qc --from-command -- printf '%s|' a '' '--x' $'\xff y' -c | zstd -dcq | cmp - <(printf 'a||--x|\xff y|-c|')
