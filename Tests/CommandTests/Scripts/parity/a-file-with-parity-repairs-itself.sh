# Rot, a gap and an addition: the file is written as it was made, and its content comes out.
corpus random 300K >a
"$SLUICE" -q -B32K --parity=10% a -o whole.zst
works "$SLUICE" -qt --parity whole.zst
works "$SLUICE" -q --repair whole.zst
same whole.repaired.zst whole.zst
rot() { python3 -c 'import os, sys; f = os.open(sys.argv[1], os.O_WRONLY); os.pwrite(f, os.urandom(int(sys.argv[3])), int(sys.argv[2]))' "$@"; }
needs python3
for damage in rot start gap addition end table parity; do
    cp whole.zst damaged.zst
    case $damage in
    rot) for place in 3000 90000 150000 290000; do rot damaged.zst $place 512; done ;;
    start) rot damaged.zst 0 2000 ;;
    gap) { head -c 100000 whole.zst; tail -c +100801 whole.zst; } >damaged.zst ;;
    addition) { head -c 100000 whole.zst; head -c 700 /dev/urandom; tail -c +100001 whole.zst; } >damaged.zst ;;
    end) truncate -s -3000 damaged.zst ;;
    table) rot damaged.zst $(($(size damaged.zst) - 60)) 50 ;;
    parity) rot damaged.zst $(($(size damaged.zst) - 9000)) 2000 ;;
    esac
    fails "$SLUICE" -qt --parity damaged.zst
    says 'damaged.zst: not as it was made: '
    says 'can be repaired'
    # Without the option nothing looks at parity.
    if [ $damage = parity ]; then works "$SLUICE" -qt damaged.zst; else fails "$SLUICE" -qt damaged.zst; fi
    # What -t accepts is not repaired on the way out.
    works "$SLUICE" -d --recover -f damaged.zst -o content
    if [ $damage != parity ]; then says 'repaired by parity'; elif grep 'by parity' "$messages"; then exit 1; fi
    same content a
    works "$SLUICE" --repair -f damaged.zst -o repaired.zst
    says 'damaged.zst: repaired: '
    same repaired.zst whole.zst
done
works "$SLUICE" -q -d --recover --json -f damaged.zst -o content >report
grep -q '"repaired" : ' report
# In its place only with -f, with the mode and the time that it has.
chmod 640 damaged.zst
touch -d '2001-02-03 04:05:06' damaged.zst
fails "$SLUICE" -q --repair damaged.zst -o damaged.zst
works "$SLUICE" -q --repair -f damaged.zst -o damaged.zst
same damaged.zst whole.zst
[ "$(stat -c '%a %y' damaged.zst | cut -c1-23)" = '640 2001-02-03 04:05:06' ]
# What changes meanwhile is not replaced by what it was.
printf x | dd of=damaged.zst bs=1 seek=90000 conv=notrunc 2>/dev/null
for change in 'printf y | dd of=damaged.zst bs=1 seek=5 conv=notrunc' 'mv other.zst damaged.zst'; do
    cp damaged.zst other.zst
    "$SLUICE" -q --repair -f damaged.zst -o damaged.zst --limit-rate=150K 2>told &
    sleep 1
    eval "$change" 2>/dev/null
    cp damaged.zst changed.zst
    if wait $!; then fail 'replaced'; fi
    grep -q changed told || fail "$(cat told)"
    same damaged.zst changed.zst
done
# A descriptor is written in place, where the source would be lost while it is read.
printf x | dd of=damaged.zst bs=1 seek=90000 conv=notrunc 2>/dev/null
cp damaged.zst before.zst
fails "$SLUICE" -q --repair -f damaged.zst -o /dev/fd/3 3<>damaged.zst
says 'is the input and the output'
same damaged.zst before.zst
cp whole.zst damaged.zst
# With -M, too, where the end is damaged; what does not fit is told.
truncate -s -3000 damaged.zst
works "$SLUICE" -q -M100M --repair -f damaged.zst -o repaired.zst
same repaired.zst whole.zst
works "$SLUICE" -q -M100M -d --recover -f damaged.zst -o content
same content a
cp whole.zst damaged.zst
# It is not removed.
fails "$SLUICE" -q --repair --rm damaged.zst
says '--repair and --rm'
# Each file has its own.
fails "$SLUICE" -q --repair whole.zst damaged.zst -o both.zst
says 'makes a file of each'
absent both.zst
cp whole.zst other.zst
works "$SLUICE" -q --repair -f whole.zst other.zst
same other.repaired.zst whole.repaired.zst
