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

# follows SECONDS level|pace TEST NUMBER: it is so, and soon: in so many seconds, or more where many want the processors.
follows() {
    local -
    set +x
    local limit start seen
    limit=$(awk -v limit="$1" -v cpus="$(nproc)" '{ print limit * ($1 > 2 * cpus ? $1 / cpus : 1) }' /proc/loadavg)
    start=$(now)
    while awk -v start="$start" -v limit="$limit" -v now="$(now)" 'BEGIN { exit !(now - start < limit) }'; do
        seen=$("$2")
        if [ "${seen:-0}" "$3" "$4" ]; then return 0; fi
        sleep 0.05
    done
    fail "after $limit s the $2 is $("$2"), not $3 $4: $(tail -n 5 lines)"
}
