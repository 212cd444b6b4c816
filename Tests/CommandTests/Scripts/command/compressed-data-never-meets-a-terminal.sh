needs script
corpus text 10K >a
script -qec "$SLUICE -c a" /dev/null >said </dev/null && fail 'wrote to a terminal'
grep -q 'terminal' said
script -qec "$SLUICE <a" /dev/null >said </dev/null && fail 'wrote to a terminal'
grep -q 'terminal' said
# Standard input is one as well.
script -qec "$SLUICE -d -c >b" /dev/null >said && fail 'read from a terminal'
grep -q 'terminal' said
"$SLUICE" -q a
# Plain data may go there.
script -qec "$SLUICE -dc a.zst" /dev/null </dev/null | tr -d '\r' >plain
same plain a
