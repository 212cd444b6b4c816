# shellcheck shell=bash
# Sourced by scripts/package: tries what was made as somebody would who has no Swift.

check_packages() {
    ((EUID == 0)) || fail "--check makes fresh systems, which takes root"
    require_packages debootstrap lintian makepkg pacman-package-manager python3 zstd
    say "lintian"
    lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$deb" >&2 || fail "lintian has found something"
    check_deb
    say "a fresh system of the C library that the archive needs"
    make_system "$oldest_release" "$work/$oldest_release" ''
    check_archive "$work/$oldest_release"
    check_rpm "$work/$oldest_release"
    check_pkgbuild "$work/$oldest_release"
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
    local system=$1
    tar -C "$system/opt" -xzf "$archive"
    use_sluice "$system" "/opt/$(basename "$archive" .tar.gz)/bin/sluice"
    rm -r "$system/opt/$(basename "$archive" .tar.gz)"
}

# What a package puts into a system, apart from documents and licences.
placed_files=(usr/bin/sluice usr/bin/sluicecat usr/bin/sluicegrep usr/bin/sluiceless usr/share/bash-completion/completions/sluice usr/share/fish/vendor_completions.d/sluice.fish
    usr/share/zsh/site-functions/_sluice)

# The list of a package's files, from standard input, has all that belong there, and nothing in other places.
check_list() {
    local file list
    list=$(sed 's|^/||; s|/$||')
    for file in "${placed_files[@]}" usr/share/doc/sluice/libraries.txt usr/share/licenses/sluice/LICENSE; do
        grep -qxF "$file" <<<"$list" || fail "$1 has no $file"
    done
    for file in sluice sluicecat sluicegrep sluiceless; do
        grep -qE "^usr/share/man/man1/$file\.1(\.gz)?$" <<<"$list" || fail "$1 has no manual page of $file"
    done
    if grep -vE "^usr/share/(doc|licenses)(/sluice(/.*)?)?$|^usr/share/man(/man1(/sluice(cat|grep|less)?\.1(\.gz)?)?)?$|^\.[A-Z]+$" <<<"$list" |
        grep -vxFf <(printf '%s\n' "${placed_files[@]}" | sed ':each;p;s|/[^/]*$||;t each') >&2; then
        fail "$1 has files in other places"
    fi
}

# Installed by rpm into a system, used, and removed without a trace. That system's C library belongs to no package of rpm,
# so what the package needs is looked at here.
check_rpm() {
    local system=$1 options=(--root "$1" --dbpath /var/lib/rpm)
    say "the rpm in it"
    rpm -qlp "$rpm" | check_list "$rpm"
    if rpm -qp --requires "$rpm" | grep -vE '^(lib(c|m|pthread|dl|util|rt)\.so\.[0-9]+|ld-linux[-a-z0-9_]*\.so\.[0-9]+|rpmlib)\(|^rtld\(GNU_HASH\)$' >&2; then
        fail "$rpm needs more than a C library"
    fi
    rpm -qp --provides "$rpm" | sed -n 's/^bundled(\(.*\)) = /\1 /p' | LC_ALL=C sort >"$work/provided"
    cut -f 1,2 "$work/portable-parts" | tr '\t' ' ' | LC_ALL=C sort | diff - "$work/provided" >&2 || fail "$rpm does not provide what is linked in"
    # Systems with rpm have it from their package of folders.
    mkdir -p "$system/usr/share/licenses"
    list_files "$system" >"$work/before"
    rpm "${options[@]}" --install --nodeps "$rpm" >"$work/log" 2>&1 || fail "can't install $rpm: $(tail -n 1 "$work/log")"
    rpm "${options[@]}" --verify --nodeps sluice >"$work/log" 2>&1 || fail "$rpm is not what was installed: $(tail -n 1 "$work/log")"
    use_sluice "$system" sluice
    rpm "${options[@]}" --erase sluice >"$work/log" 2>&1 || fail "can't remove $rpm: $(tail -n 1 "$work/log")"
    list_files "$system" >"$work/after"
    diff "$work/before" "$work/after" >&2 || fail "$rpm leaves something"
    rmdir "$system/usr/share/licenses"
}

# Built by a user with makepkg from the archive, installed by pacman into a system, used, and removed without a trace.
check_pkgbuild() {
    local system=$1 folder=$work/arch package options=(--root "$1" --dbpath "$1/var/lib/pacman" --config "$work/pacman.conf" --noconfirm)
    say "a package of the PKGBUILD in it"
    install -d -o nobody -g nogroup "$folder"
    chmod a+x "$work"
    cp "$output/PKGBUILD" "$archive" "$folder/"
    (cd "$folder" && HOME=$folder PKGEXT=.pkg.tar.zst setpriv --reuid=nobody --regid=nogroup --clear-groups makepkg --nodeps --noconfirm) \
        >"$work/log" 2>&1 || fail "makepkg: $(tail -n 3 "$work/log")"
    package=$(echo "$folder"/*.pkg.tar.zst)
    zstd -dqc "$package" | tar -t | check_list "$package"
    printf '[options]\nArchitecture = auto\nSigLevel = Never\n' >"$work/pacman.conf"
    mkdir -p "$system/var/lib/pacman"
    list_files "$system" >"$work/before"
    pacman --upgrade --nodeps --nodeps "${options[@]}" "$package" >"$work/log" 2>&1 || fail "can't install $package: $(tail -n 1 "$work/log")"
    pacman --query --check --check "${options[@]}" sluice-bin >"$work/log" 2>&1 || fail "$package is not what was installed: $(tail -n 1 "$work/log")"
    use_sluice "$system" sluice
    pacman --remove "${options[@]}" sluice-bin >"$work/log" 2>&1 || fail "can't remove $package: $(tail -n 1 "$work/log")"
    list_files "$system" >"$work/after"
    diff "$work/before" "$work/after" >&2 || fail "$package leaves something"
}

# A second build gives the same bytes: in another folder, at another time, with other settings of the user.
check_bytes() {
    local file again=$work/another-place/folder home=$work/another-place/home
    [[ -z $(git -C "$root" status --porcelain) ]] || fail "there are changes that are not committed: a second build has other bytes"
    require_packages faketime
    say "a second build, in another folder, 400 days earlier"
    git clone -q "$root" "$again"
    # The packages of Swift and of the older release, as they were chosen: what is fetched has the time of its server.
    cp "$root/Package.resolved" "$again/"
    swift package --package-path "$again" resolve </dev/null >"$work/log" 2>&1 || fail "can't fetch packages: $(tail -n 1 "$work/log")"
    if [[ -e $root/.build/$oldest_release/complete ]]; then cp -r "$root/.build/$oldest_release" "$again/.build/"; fi
    # A home of its own: the compiler would mix what it keeps there with what it has from other times. And an earlier time:
    # modules that are a month old are removed from its cache, in which all would be that old at a later time.
    mkdir "$home"
    (umask 077 && HOME=$home XDG_CACHE_HOME=$home/.cache LC_ALL=C TZ=Asia/Kathmandu LOGNAME=somebody USER=somebody NO_FAKE_STAT=1 \
        faketime --exclude-monotonic -f -400d "$again/scripts/package" --output "$work/again" >&2) || fail "the second build failed"
    for file in "$output"/*; do
        [[ $file == *.deb || $file == *.tar.gz || $file == *.rpm || $file == *.spdx.json || $file == */PKGBUILD ]] || continue
        cmp "$file" "$work/again/$(basename "$file")" >&2 || fail "a second build of $(basename "$file") has other bytes"
        say "the same bytes: $(sha256sum "$file")"
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
    find "$1" -xdev \( -path "$1/var/lib/apt" -o -path "$1/var/cache" -o -path "$1/var/log" -o -path "$1/var/lib/dpkg" -o -path "$1/var/lib/rpm" -o -path "$1/var/lib/pacman" -o -path "$1/tmp" -o -path "$1/proc" \) -prune \
        -o -print | LC_ALL=C sort
}
