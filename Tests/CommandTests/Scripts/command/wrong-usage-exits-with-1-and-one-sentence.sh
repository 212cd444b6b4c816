for words in '--no-such-option' '-y' '-o' '-T99999999999999999999' '-Tx' '-Bx' '-B99999999999G' '--long=9' '--long=40' '--fast=x' '-M99999999999G' \
    '--flush-interval=x' '--flush-interval=0' '--stream-size=' '--single-frame --flush-interval=1'; do
    # shellcheck disable=SC2086
    fails "$SLUICE" $words </dev/null
    # A hint only where there is something to do: the sentence says what a value may be.
    case $words in --no-such-option | -y) says 'hint: sluice --help lists the options' ;; *) refuses grep -q 'lists the options' "$messages" ;; esac
done
fails "$SLUICE" ''
says 'empty file name'
fails "$SLUICE" -o ''
absent .zst
