# What these scripts share.

# python3 may be a bash script itself, which must not be as strict as these.
python() { env -u BASH_ENV python3 "$@"; }

# check FILE EXPRESSION...: the statistics keep their schema and its laws, and what is said of their fields is so.
check() { python "$SCRIPTS/statistics/check.py" "$@" >&9 2>&9 || fail "$1"; }

needs_schema() {
    local code=0
    # That the schema is one is looked at once.
    python - "$ROOT/docs/statistics.schema.json" <<'END' 2>&9 || code=$?
import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(77)
jsonschema.Draft202012Validator.check_schema(json.load(open(sys.argv[1])))
END
    [ $code != 77 ] || skip 'python3-jsonschema is not installed'
    [ $code = 0 ] || fail 'the schema is none'
}

# drawn PAGE [CHANGES]: what a browser would show of a report, as HTML, after statements that change its figures.
drawn() { node "$SCRIPTS/statistics/draw.js" "$@"; }
