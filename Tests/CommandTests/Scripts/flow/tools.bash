# What these scripts share.

# meter FILE: reads everything, and writes down how it came; see meter.pl.
meter() { perl "$SCRIPTS/flow/meter.pl" "$@"; }

# holds FILE EXPRESSION: of what the meter saw, $1 to $6 in awk.
holds() { awk "{ exit !($2) }" "$1" || fail "$1 ($(cat "$1")): not $2"; }
