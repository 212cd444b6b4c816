# The count is of each thread: with so many reads one of them makes four, however many share them.
needs strace
corpus random 64M >a
"$SLUICE" -qf -1 -B256K a -o ok.zst
# A test looks for what can be had of each 256 bytes that a disk refuses.
head -c 3M a | "$SLUICE" -q -1 -B256K -o small.zst
injected() { strace -f --seccomp-bpf -qq -o "$LOGS/strace" -P "$PWD/$1" -e trace=read,pread64,readv -e "inject=read,pread64,readv:error=EIO:when=$2" "${@:3}"; }
for when in 1 2 4; do
    for who in dispatch workers; do
        fails injected a $when+ "$SLUICE" -T2 -1 -B256K --read=$who --rm a
        says 'a: can'
        says 'input/output error'
        absent a.zst
        [ -e a ]
    done
    fails injected ok.zst $when+ "$SLUICE" -T2 -d --rm ok.zst -o back
    says 'input/output error'
    absent back
    [ -e ok.zst ]
    # It is read in one call.
    [ $when != 1 ] || fails injected small.zst $when+ "$SLUICE" -t small.zst
    # What came before it is a beginning of the right data.
    fails injected ok.zst $when+ "$SLUICE" -dc ok.zst >part
    prefix_of part a
done
# One that comes with bytes, and that the next call would not have: what is behind it is not asked for, as on a tape.
for when in 1 2 3; do
    fails injected a $when "$SLUICE" -T2 -1 -B256K --read=dispatch a
    grep -q INJECTED "$LOGS/strace"
    absent a.zst
    fails injected ok.zst $when "$SLUICE" -T2 -d ok.zst -o back
    absent back
done
# Nor is one of waiting: a read of a pipe then could wait for ever. The first call only asks.
for error in ENOMEM EINVAL; do
    fails timeout 20 strace -f -qq -o "$LOGS/strace" -e trace=poll -e "inject=poll:error=$error:when=2+" "$SLUICE" -c < <(cat a) >part
    says 'standard input: can'
done
fails "$SLUICE" </proc/self/mem
says 'standard input: can'
no_leftovers
