# What these scripts share.

cc -std=gnu17 -Wall -Wextra -Werror -shared -fPIC -o "$LOGS/hostile.so" "$SCRIPTS/sandbox/hostile.c"

# Somebody to talk to, on a TCP port and under an abstract name, until the script ends.
export ABSTRACT=sluice-test-$$ PORT
listen() {
    perl -MSocket -e '
        socket my $tcp, PF_INET, SOCK_STREAM, 0;
        socket my $unix, PF_UNIX, SOCK_STREAM, 0;
        bind $tcp, pack_sockaddr_in(0, INADDR_LOOPBACK) or die "$!";
        bind $unix, pack_sockaddr_un("\0$ENV{ABSTRACT}") or die "$!";
        listen $_, 64 or die "$!" for $tcp, $unix;
        $| = 1;
        print +(unpack_sockaddr_in(getsockname $tcp))[0], "\n";
        sleep 200' >"$LOGS/port" &
    listener=$!
    trap 'kill $listener' EXIT
    await test -s "$LOGS/port"
    PORT=$(cat "$LOGS/port")
}

# A folder with what the hostile decoder looks for.
bait() {
    rm -rf "$1"
    mkdir "$1"
    echo secret >"$1/secret"
    echo victim >"$1/victim"
}

# hostile FOLDER COMMAND...: the command works, though its decoder tries to get at the folder. What it tried and what came of it
# is in `attempts`.
hostile() {
    local outside=$1
    shift
    works env LD_PRELOAD="$LOGS/hostile.so" OUTSIDE="$outside" "$@"
    sed -n 's/^hostile: //p' "$messages" >attempts
    version=$(sed -n 's/^Landlock //p' attempts)
    sed -i '/^Landlock/d' attempts
    [ -s attempts ] || fail "the decoder tried nothing: $*"
}

# Nothing of what Landlock can refuse here, in FOLDER or elsewhere, was done.
all_refused() {
    [ "$version" -gt 0 ] || skip "the kernel has no Landlock"
    [ "$version" -ge 6 ] || sed -i '/^signal\|abstract/d' attempts
    [ "$version" -ge 4 ] || sed -i '/^connect/d' attempts
    [ "$version" -ge 3 ] || sed -i '/^truncate/d' attempts
    if grep -v ' beside: done$' attempts | grep -vE ': (EACCES|EPERM|EXDEV)$' >&9; then fail "it was not refused"; fi
    [ "$version" -lt 3 ] || [ "$(ls -A "$1" | grep -cxE 'secret|victim')" = 2 ] || fail "something is gone from $1"
}
