# shellcheck shell=bash
# Sourced by scripts/package: tries what was made as somebody would who has no Swift.

check_packages() {
    ((EUID == 0)) || fail "--check makes fresh systems, which takes root"
    require_packages debootstrap lintian python3
    say "lintian"
    lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$deb" >&2 || fail "lintian has found something"
    check_deb
    check_archive
    check_bytes
    say "all is well"
}

# In a fresh system: installed, used, looked up, completed, and removed without a trace.
check_deb() {
    local system=$work/bookworm
    say "a fresh Debian 12, and the package in it"
    make_system bookworm "$system" man-db,bash-completion
    within "$system" apt-get -q update
    list_files "$system" >"$work/before"
    cp "$deb" "$system/root/"
    within "$system" apt-get -q -y install "/root/$(basename "$deb")"
    use_sluice "$system" sluice
    within "$system" sh -c 'man sluice | grep -q -- --ultra' || fail "man sluice does not show its options"
    python3 "$root/packaging/complete.py" "$system" || fail "the Tab key completes nothing"
    within "$system" apt-get -q -y purge sluice
    within "$system" apt-get -q -y autoremove --purge
    rm "$system/root/$(basename "$deb")"
    list_files "$system" >"$work/after"
    diff "$work/before" "$work/after" >&2 || fail "the package leaves something"
}

# In a fresh system of the oldest release, which has none of the libraries.
check_archive() {
    local system=$work/$oldest_release
    say "a fresh system of the C library that the archive needs"
    make_system "$oldest_release" "$system" ''
    tar -C "$system/opt" -xzf "$archive"
    use_sluice "$system" "/opt/$(basename "$archive" .tar.gz)/bin/sluice"
}

# A second build, in another folder, gives the same bytes.
check_bytes() {
    local file
    [[ -z $(git -C "$root" status --porcelain) ]] || fail "there are changes that are not committed: a second build has other bytes"
    say "a second build, in another folder"
    git clone -q "$root" "$work/again/folder"
    "$work/again/folder/scripts/package" --output "$work/again/packages" >&2
    for file in "$deb" "$archive"; do
        cmp "$file" "$work/again/packages/$(basename "$file")" >&2 || fail "a second build of $(basename "$file") has other bytes"
    done
}

make_system() {
    local release=$1 folder=$2 packages=$3 site
    # shellcheck disable=SC2016 # apt's own variable
    site=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | grep -v security | head -n 1)
    timeout 600 debootstrap --variant=minbase ${packages:+--include="$packages"} "$release" "$folder" "$site" >"$work/log" 2>&1 ||
        fail "can't make a system of $release: $(tail -n 1 "$work/log")"
}

within() {
    local system=$1
    shift
    DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 timeout 300 unshare --mount --pid --fork --root="$system" --mount-proc "$@" \
        >"$work/log" 2>&1 || fail "$*: $(tail -n 3 "$work/log")"
}

# What was compressed comes back, through files and pipes.
use_sluice() {
    local system=$1 command=$2
    tar -C "$root" -cf "$system/root/big.tar" Sources Tests docs
    within "$system" sh -ec "cd /root; ! command -v swift; sha256sum big.tar >sum; $command --version
        $command -q big.tar; $command -q --rm -f big.tar; $command -t -q big.tar.zst; $command -q -d --rm big.tar.zst; sha256sum -c sum
        $command -qc <big.tar | $command -dqc | cmp - big.tar; rm big.tar sum"
}

list_files() {
    find "$1" -xdev \( -path "$1/var/lib/apt" -o -path "$1/var/cache" -o -path "$1/var/log" -o -path "$1/var/lib/dpkg" -o -path "$1/tmp" -o -path "$1/proc" \) -prune \
        -o -print | LC_ALL=C sort
}
