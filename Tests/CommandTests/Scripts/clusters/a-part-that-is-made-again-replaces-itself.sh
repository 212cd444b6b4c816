. "$SCRIPTS/statistics/tools.bash"
corpus text 8M >plain
make() { "$SLUICE" "$@" -1 -B64K --part=2/3 plain -o part; }
works make
cp part first
# Again, without a question, and as whole.
before=$(stat -c %i part)
works make </dev/null
same part first
[ "$(stat -c %i part)" != "$before" ]
# What is another part, or none, does not give way.
works "$SLUICE" -1 -B64K --part=1/3 plain -o other
cp other part
fails make
says 'already exists'
same part other
echo mine >part
fails make
[ "$(cat part)" = mine ]
cp first part
touch -d '1 hour ago' plain
fails make
same part first
works make -f
cp part first
# One that is killed leaves what was there, and the next one makes it.
spawn killed "$SLUICE" -q -1 -B64K --limit-rate 500K --part=2/3 plain -o part &
has_begun() { has_temporary; }
await has_begun
kill -KILL "$(pid killed)"
wait
same part first
no_leftovers
works make
# Two at once do each other no harm, wherever files have names before.
for round in 1 2 3; do
    rm -f part
    [ $round = 3 ] && names=with_names || names=env
    for runner in 1 2 3 4; do $names "$SLUICE" -q -1 -B64K --part=2/3 plain -o part 2>"runner.$runner" & done
    for job in $(jobs -p); do wait "$job" || fail "a runner failed: $(cat runner.*)"; done
    same part first
    no_leftovers
done
# Somebody else's file that appears meanwhile stays.
rm part
spawn late "$SLUICE" -1 -B64K --limit-rate 2M --part=2/3 plain -o part 2>said &
await has_begun
echo mine >part
wait
[ "$(cat late)" = 1 ]
grep -qF 'part: ' said
[ "$(cat part)" = mine ]
rm part
# A source that changes under a part fails it: longer, shorter, in place, or replaced.
change() {
    case $1 in
    longer) printf x >>plain ;;
    shorter) truncate -s -1 plain ;;
    inside) printf y | dd of=plain bs=1 seek=4000000 conv=notrunc status=none ;;
    back) touch -r plain stamp; printf z | dd of=plain bs=1 seek=4000001 conv=notrunc status=none; touch -r stamp plain ;;
    esac
}
for how in longer shorter inside back; do
    corpus text 8M >plain
    sleep 0.02
    spawn changed."$how" "$SLUICE" -1 -B64K --limit-rate 2M --part=2/3 plain -o part 2>said &
    await has_begun
    change "$how"
    wait
    [ "$(cat changed."$how")" = 1 ] || fail "$how: $(cat said)"
    grep -qE 'plain: it changed while it was read' said || fail "$how: $(cat said)"
    absent part
    no_leftovers
done
