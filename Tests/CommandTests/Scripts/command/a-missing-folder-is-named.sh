corpus text 10K >a
mkdir there
fails "$SLUICE" a -o no/such/x
says "sluice: can't create no/such/x: the directory no/such does not exist"
fails "$SLUICE" a -o there/no/x
says "the directory there/no does not exist"
fails "$SLUICE" a -o "$PWD/no/x"
says "the directory $PWD/no does not exist"
for option in --stats-file --report --trace; do
    fails "$SLUICE" $option no/x a
    says "sluice: can't create no/x: the directory no does not exist"
done
fails with_names "$SLUICE" a -o no/x
says 'the directory no does not exist'
# The kernel says the same of a folder that is there, and takes no file.
fails "$SLUICE" a -o /proc/x
says "sluice: can't create /proc/x: no such file or directory"
absent a.zst no
