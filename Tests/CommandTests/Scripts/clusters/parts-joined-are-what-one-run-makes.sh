# Whatever the number of parts, also where some have no frames, and however they arrive.
needs strace
corpus text 5M >plain
corpus random 700K >>plain
: >empty
printf x >byte
truncate -s 3M holes
for name in plain empty byte holes; do
    for options in '-1 -B512K --no-sync' '-3 -B1M --no-check --no-sync' '-5 --no-content-size --no-sync'; do
        [ $name = plain ] || [ "$options" = '-1 -B512K --no-sync' ] || continue
        # shellcheck disable=SC2086
        "$SLUICE" -q $options -f $name -o one.zst
        for count in 1 2 3 7; do
            rm -f part.*
            for ((part = count; part > 0; part--)); do
                # shellcheck disable=SC2086
                "$SLUICE" -q $options --part=$part/$count $name -o part.$part
                # A part is an ordinary file.
                zstd -dcq part.$part >part.$part.plain
            done
            for ((part = 1; part <= count; part++)); do cat part.$part.plain; done | cmp - $name
            rm part.*.plain
            "$SLUICE" -qf --join part.* -o joined.zst
            same joined.zst one.zst
        done
    done
done
# Shares differ by a frame at most.
for part in 1 2 3; do "$SLUICE" -qv -1 -B512K --part=$part/3 plain -o share.$part 2>>said; done
grep -q '^part 1 of 3: frames 1 to 3 of 12' said || grep -q '^part 1 of 3: frames 1 to 4 of 12' said
# To a pipe, and by reading and writing where the kernel copies nothing.
"$SLUICE" -qf -1 -B512K plain -o one.zst
"$SLUICE" -q --join share.3 share.1 share.2 -c | cmp - one.zst
strace -f -qq -o /dev/null -e inject=copy_file_range:error=EXDEV "$SLUICE" -q --join share.* -o copied.zst
same copied.zst one.zst
# The name of a part says which it is.
works "$SLUICE" -q -1 -B512K --part=3/12 plain
[ -e plain.03-of-12.zst ]
# Sources stay, parts go when they are joined, if that was asked for.
works "$SLUICE" --join --rm share.* -o last.zst
same last.zst one.zst
absent share.1 share.2 share.3
[ -e plain ]
