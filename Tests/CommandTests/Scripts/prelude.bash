# What the scripts share; bash reads it before each of them (BASH_ENV), and before every bash they start.
#
# A script runs in an empty folder, with SLUICE, FIXTURES and ROOT set, and fails with its first failing command.
set -euo pipefail

# The trace stays out of the standard error of commands that are under test.
exec 9>&2
BASH_XTRACEFD=9
PS4='+ ${BASH_SOURCE##*/}:$LINENO: '

messages=$LOGS/messages
: >>"$messages"
chmod a+rw "$messages" 2>/dev/null || true

fail() {
    echo "FAILED: $*" >&9
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

# needs COMMAND...: skips the script where one of these programs is not installed.
needs() {
    { local -; set +x; } 2>/dev/null
    local command
    for command; do command -v "$command" >/dev/null || skip "$command is not installed"; done
}

# exits CODE COMMAND...: the command ends with exactly this code. Its standard error goes to $messages.
exits() {
    local -
    set +x
    local wanted=$1 code=0
    shift
    "$@" 2>"$messages" || code=$?
    [ "$code" = "$wanted" ] || fail "exit code $code instead of $wanted: $*"
    if [ -s "$messages" ] && grep -qE 'Fatal error|Crash|Backtrace|Swift' "$messages"; then fail "a crash: $*"; fi
}

# The same for a command that has to explain itself: one or more sentences, each with the program's name.
fails() {
    local -
    set +x
    exits 1 "$@"
    [ -s "$messages" ] || fail "failed without a word: $*"
    # The summary is about those files that were done.
    if grep -vE '^(sluice|zstd|unzstd|zstdcat|zstdmt|zcat|gzcat): |, [0-9.]+ [KMGT]?i?B/s$' "$messages" >&9; then fail "a message without the program's name: $(cat "$messages")"; fi
}

works() { exits 0 "$@"; }

# The last messages contain this text.
says() { { local -; set +x; }; in_messages "$1" || grep -qF -- "$1" "$messages" || fail "no '$1' in: $(cat "$messages")"; }
# The same for most texts, without a process.
in_messages() {
    local text
    IFS= read -rd '' text <"$messages" || true
    [[ $1 != *$'\n'* && $text == *"$1"* ]]
}
# The most memory that the last messages of -v allow the run, in MiB.
allowed() {
    sed -n 's/.*memory up to \([0-9.]*\) \([KMG]\)iB.*/\1 \2/p' "$messages" |
        awk '{ print $1 * ($2 == "G" ? 1024 : $2 == "K" ? 1 / 1024 : 1) }'
}
silent() { [ ! -s "$messages" ] || fail "not silent: $(cat "$messages")"; }

# True if the command fails; `!` would not end a script.
refuses() { if "$@" >/dev/null 2>&1; then fail "succeeded: $*"; fi; }

same() { cmp -- "$1" "$2" >&9 || fail "$1 and $2 differ"; }
# FILE holds the first bytes of WHOLE, perhaps none.
prefix_of() { cmp -n "$(size "$1")" -- "$1" "$2" >&9 || fail "$1 is not the beginning of $2"; }
size() { stat -c %s -- "$1"; }
absent() {
    local name
    for name; do [ ! -e "$name" ] && [ ! -L "$name" ] || fail "$name is there"; done
}

# No temporary file in the folder, or in the one named.
no_leftovers() {
    local left
    left=$(find "${1:-.}" -name '.*.tmp')
    [ -z "$left" ] || fail "left behind: $left"
}

# The folders with the programs of the tests' build and of Examples: those that whoever runs the script names, or SwiftPM.
programs() { echo "${PROGRAMS:-$(bin_path "$ROOT")}"; }
examples() { echo "${EXAMPLES:-$(bin_path "$ROOT/Examples")}"; }
bin_path() { swift build --package-path "$1" --show-bin-path </dev/null 2>/dev/null || true; }

# Whether there is time for many repetitions: scripts/test --long.
is_long() { [ "${SLUICE_TESTS-}" = long ]; }

# corpus KIND SIZE: bytes to standard output; text, random and zeros are the same at every call.
corpus() {
    local -
    set +x
    # Up to a period it is the beginning of what was made before.
    if [[ $1 = zeros ]]; then
        head -c "$2" /dev/zero
    elif [[ -e ${CORPORA-}/$1 && $2 =~ ^([0-9]+)(K?)$ ]] && ((BASH_REMATCH[1] <= 1 << (${#BASH_REMATCH[2]} ? 10 : 20))); then
        head -c "$2" "$CORPORA/$1"
    else
        perl "$SCRIPTS/corpus.pl" "$@"
    fi
}

# spawn STATUS COMMAND...: runs the command with the signals as in a new terminal. STATUS.pid holds its process; at its
# end STATUS holds the exit code, or SIG and a name, and STATUS.time when it ended. To be started with &.
spawn() { exec perl "$SCRIPTS/spawn.pl" "$@"; }

# ended STATUS WANTED SECONDS SINCE: waits for the end of what was spawned, which came so soon after SINCE (of `now`).
ended() {
    local -
    set +x
    await test -s "$1.time"
    [ "$(cat "$1")" = "$2" ] || fail "ended with $(cat "$1") instead of $2"
    [ $# -lt 3 ] || awk -v end="$(cat "$1.time")" -v since="$4" -v most="$(patience "$3")" 'BEGIN { exit !(end - since <= most) }' ||
        fail "ended $(cat "$1.time"), more than $3 s after $4"
}

now() { date +%s.%N; }
pid() {
    await test -s "$1.pid"
    cat "$1.pid"
}

# A limit of time in seconds, on a machine that is busy with more than these scripts a longer one: as much longer as more
# processes want a core than a run of all scripts has at once.
patience() {
    awk -v seconds="$1" -v cores="$(nproc)" '{ load = $1 / (2 * cores + 1); print seconds * (load > 1 ? load : 1) }' /proc/loadavg
}

# timeout SECONDS COMMAND...: what keeps a script from hanging scales so as well. With options it is the program as it is.
timeout() {
    { local -; set +x; } 2>/dev/null
    if [[ $1 =~ ^[0-9]+$ ]] && (($1 >= 5)); then command timeout "$(patience "$1")" "${@:2}"; else command timeout "$@"; fi
}

# Tries a command until it succeeds, for 20 seconds.
await() {
    local -
    set +x
    local attempt most
    most=$(patience 1000)
    for ((attempt = 0; attempt < ${most%.*}; attempt++)); do
        if "$@"; then return 0; fi
        sleep 0.02
    done 2>/dev/null
    fail "in vain: $*"
}

# Waits for the file that becomes sluice's output in the folder, which must be the only one, and prints how to open it:
# mostly it has no name.
temporary() {
    await has_temporary "$@"
    temporaries "$@"
}
has_temporary() { [ -n "$(temporaries "$@")" ]; }
temporaries() {
    local folder
    folder=$(realpath "${1:-.}")
    find "$folder" -name '.*.tmp'
    find /proc/[0-9]*/fd -lname "$folder/#* (deleted)" 2>/dev/null || true
}
# Whether files without a name are made here.
has_unnamed() { [[ $(stat -f -c %T .) =~ ^(ext2/ext3|xfs|tmpfs)$ ]]; }
# Runs a command as where every file needs a name: without /proc. The tracer is not the parent.
with_names() {
    strace -D -f -qq -o /dev/null -e trace=access,faccessat -e inject=access,faccessat:error=ENOENT "$@"
}

# Runs a command as an ordinary user.
ordinary() { setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"; }

# Mounts a new file system of so many bytes on a folder.
small_disk() {
    mkdir -p "$1"
    mount -t tmpfs -o "size=$2,mode=777" tmpfs "$1" || skip "file systems can't be mounted here"
}
