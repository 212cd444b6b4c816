needs parallel
corpus text 3M >"it's a \"file\""
name="it's a \"file\""
"$SLUICE" -q -1 -B128K "$name" -o one.zst
for count in 2 3 7; do
    rm -f "$name.zst"
    works "$ROOT/Examples/clusters/parallel.sh" "$name" $count -1 -B128K
    same "$name.zst" one.zst
    absent "$name".*-of-$count.zst
done
# Side by side, each asked for by the number of its job.
rm "$name.zst"
seq 7 | parallel --will-cite --quote --jobs 4 "$SLUICE" -q -1 -B128K --part=auto/7 -o part.{} "$name"
works "$SLUICE" --join part.* -o joined.zst
same joined.zst one.zst
# A part that fails at first is made again.
cat >flaky <<END
#!/bin/bash
[[ " \$* " != *" --part=2/3 "* ]] || [ -e tried ] || { touch tried; exit 1; }
exec "$SLUICE" "\$@"
END
chmod +x flaky
rm -f "$name.zst"
works env SLUICE=./flaky "$ROOT/Examples/clusters/parallel.sh" "$name" 3 -1 -B128K
[ -e tried ]
same "$name.zst" one.zst
# One that fails for good leaves no file.
rm -f "$name.zst"
cat >broken <<END
#!/bin/bash
[[ " \$* " != *" --part=2/3 "* ]] || exit 1
exec "$SLUICE" "\$@"
END
chmod +x broken
refuses env SLUICE=./broken "$ROOT/Examples/clusters/parallel.sh" "$name" 3 -1 -B128K
absent "$name.zst"
