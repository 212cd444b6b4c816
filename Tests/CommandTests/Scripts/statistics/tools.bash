# What these scripts share.

# python3 may be a bash script itself, which must not be as strict as these.
python() { env -u BASH_ENV python3 "$@"; }

# check FILE EXPRESSION...: the statistics keep their schema and its laws, and what is said of their fields is so.
check() { python "$SCRIPTS/statistics/check.py" "$@" >&9 2>&9 || fail "$1"; }

needs_schema() { python -c 'import jsonschema' 2>/dev/null || skip 'python3-jsonschema is not installed'; }

# drawn PAGE [CHANGES]: what a browser would show of a report, as HTML, after statements that change its figures.
drawn() { node "$SCRIPTS/statistics/draw.js" "$@"; }
