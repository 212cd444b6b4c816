# Starts servers for the scripts of this folder; they read it.

# serve NAME WORDS...: starts server.py on the folder NAME, and puts its URL into the variable `url`. What it was asked
# stands in NAME.log. The server ends with the script.
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true' EXIT
serve() {
    local name=$1
    shift
    : >"$name.log"
    # Of an earlier server of this name.
    rm -f "$name.port"
    env -u BASH_ENV python3 -B "$SCRIPTS/remote/server.py" "$name" "$name.log" "$@" >"$name.port" 2>"$name.errors" 9>&- &
    servers+=($!)
    await test -s "$name.port"
    port=$(cat "$name.port")
    # shellcheck disable=SC2034  # for the script
    url=http://127.0.0.1:$port
}

# keep NAME FAULT...: starts store.py, an object store, and sets what AWS's tools would know of it. What it was asked stands
# in NAME.log.
keep() {
    local name=$1
    shift
    : >"$name.log"
    rm -f "$name.port"
    env -u BASH_ENV python3 -B "$SCRIPTS/remote/store.py" "$name.log" "$@" >"$name.port" 2>"$name.errors" 9>&- &
    servers+=($!)
    await test -s "$name.port"
    url=http://127.0.0.1:$(cat "$name.port")
    export AWS_ENDPOINT_URL=$url AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=hidden-1
}

# The objects, or the uploads, of the last store: a line each.
stored() { python3 -c 'import sys, urllib.request; sys.stdout.write(urllib.request.urlopen(sys.argv[1]).read().decode())' "$url/.$1"; }

# No object, or upload, is there.
nothing() { { local -; set +x; } 2>/dev/null; [ -z "$(stored "$1")" ] || fail "there are $1: $(stored "$1")"; }

# asking WORDS NAME: puts the URL of a file into `asked`, with what the server does for this URL, which no other call names.
serial=0
asking() {
    { local -; set +x; } 2>/dev/null
    local words=${1//\//%2F}
    serial=$((serial + 1))
    # shellcheck disable=SC2034  # for the script
    asked=$url/~$words\&serial=$serial/$2
}

# The number of requests that a server was asked since the last call, and the bytes that it sent.
requests() {
    awk -F '\t' '{ count++; sum += $4 } END { print count + 0, sum + 0 }' "$1.log"
    : >"$1.log"
}
