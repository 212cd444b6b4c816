# What these scripts share.
. "$SCRIPTS/statistics/tools.bash"

# Text without an end, until nobody reads it.
corpus text 24M >text
endless() {
    while cat text; do :; done 2>/dev/null
}

# A pipe whose rate the file `rate` says, in bytes a second.
rate() { printf '%s' "$1" >rate.new && mv rate.new rate; }
pipe() { python "$SCRIPTS/adapt/pipe.py" rate pace; }

# The level that the last line of progress tells.
level() { tail -n 1 lines | sed -n 's/.*"level":\([0-9]*\).*/\1/p'; }
pace() { tail -n 1 pace; }

# follows SECONDS level|pace TEST NUMBER: it is so, and soon: in so many seconds of a machine that nobody else uses. Four
# times as long is what others may take of it.
follows() {
    local -
    set +x
    local start seen
    start=$(now)
    while seen=$("$2"); ! [ "${seen:-0}" "$3" "$4" ]; do
        awk -v start="$start" -v limit="$1" -v now="$(now)" 'BEGIN { exit !(now - start < 4 * limit) }' ||
            fail "after $((4 * $1)) s the $2 is $("$2"), not $3 $4: $(tail -n 5 lines)"
        sleep 0.05
    done
    awk -v test="$2 $3 $4" -v start="$start" -v limit="$1" -v now="$(now)" \
        'BEGIN { printf "%s after %.1f of %d s\n", test, now - start, limit }'
}
