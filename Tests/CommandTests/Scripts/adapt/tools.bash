# What these scripts share.
. "$SCRIPTS/statistics/tools.bash"

pipe() { python "$SCRIPTS/adapt/pipe.py" "$@"; }

# Text without an end, until nobody reads it.
endless() {
    [ -s text ] || corpus text 24M >text
    while cat text; do :; done 2>/dev/null
}

# level FILE FROM TO EXPRESSION: in the lines of progress in FILE, at some time between these seconds, the level ($2) is so.
level() {
    pipe levels "$1" >levels
    awk -v from="$2" -v to="$3" "
        # It stays until the next line.
        NR > 1 && \$1 > from { if (isSo) found = 1 }
        { isSo = \$1 <= to && ($4); if (isSo && \$1 >= from) found = 1 }
        END { exit !(found || isSo) }" levels || fail "from $2 to $3 s the level was never $4: $(cat levels)"
}

# rate FILE FROM TO LEAST: between these seconds so many bytes came each second, on average.
rate() {
    awk -v from="$2" -v to="$3" -v least="$4" '$1 > from && $1 <= to { sum += $2; count++ } END { exit !(count && sum / count >= least) }' "$1" ||
        fail "from $2 to $3 s less than $4 bytes came a second: $(cat "$1")"
}
