# Small files are done by several workers at once; each one takes a while here.
needs strace
mkdir many
for number in {100..299}; do echo "content $number" >many/$number; done
strace -D -f -qq -o /dev/null -e trace=read -e inject=read:delay_enter=15000 \
    "$SLUICE" -T2 --no-sync --progress=json many/* 2>lines
# Numbers are a tenth of a second old, in which a worker does a few files.
perl -ne 'if (/"file":"many\/(\d+)","files":200,"filesDone":(\d+)/) {
        $seen++ if $2 < 200;
        die $_ if abs($1 - 100 - $2) > 20 && $2 < 200;
    } END { exit !$seen }' lines || fail "$(cat lines)"
