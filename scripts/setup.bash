# shellcheck shell=bash
# Sourced by the other scripts: finds Swift, installs the packages that are missing, and builds the release binary.
# It talks on standard error only, and never reads standard input, which belongs to the command.

set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd -P)
# shellcheck disable=SC2034 # for the scripts that source this one
binary=$root/.build/release/sluice

# What every build needs: a linker with the C library, git for the packages, libzstd, what makes its checksums, the
# allocator, and the libraries of the other formats that are read.
build_packages=(g++ git libzstd-dev libxxhash-dev libjemalloc-dev zlib1g-dev liblzma-dev liblz4-dev)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# Puts a Swift of version 6.3 or later into PATH, or ends with what to do.
require_swift() {
    local swiftly=${SWIFTLY_BIN_DIR:-${XDG_DATA_HOME:-${HOME:-}/.local/share}/swiftly/bin}
    local version
    if ! command -v swift >/dev/null && [[ -x $swiftly/swift ]]; then PATH=$swiftly:$PATH; fi
    command -v swift >/dev/null || fail "Swift 6.3 or later is needed: install it from swift.org, and put it into PATH."
    version=$(swift --version 2>/dev/null </dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    if [[ -z $version || $(printf '%s\n' 6.3 "$version" | sort -V | head -n 1) != 6.3 ]]; then
        fail "Swift 6.3 or later is needed, this one is ${version:-unknown}: install it from swift.org, and put it into PATH."
    fi
}

# Installs Debian packages that are missing; without root, ends with the command that does.
require_packages() {
    local package missing=()
    # Without dpkg the build itself says what it misses.
    command -v dpkg-query >/dev/null || return 0
    for package in "$@"; do
        # shellcheck disable=SC2016 # dpkg's own variable
        [[ $(dpkg-query -W -f '${db:Status-Status} ' "$package" 2>/dev/null) == *installed\ * ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    ((EUID == 0)) || fail "packages are missing: install them with: sudo apt-get install ${missing[*]}"
    say "installing ${missing[*]}"
    # The package lists are updated only if they do not know what is wanted.
    apt_get install "${missing[@]}" || { apt_get update && apt_get install "${missing[@]}"; } ||
        fail "can't install ${missing[*]}: $(tail -n 1 "$root/.build/apt.log")"
}

apt_get() {
    mkdir -p "$root/.build"
    DEBIAN_FRONTEND=noninteractive apt-get -y -q --no-install-recommends -o DPkg::Lock::Timeout=120 "$@" \
        </dev/null >"$root/.build/apt.log" 2>&1
}

# Whether the release binary is the one that the last build left, and no source is newer than that build.
is_built() {
    local stamp=$root/.build/sluice.stamp
    [[ -x $binary && -f $stamp && $(<"$stamp") == "$(stat -L -c '%i %s %y' "$binary")" ]] &&
        [[ -z $(find "$root/Package.swift" "$root/Sources" -newer "$stamp" -print -quit) ]]
}

# Builds the release binary, with Swift's libraries linked in, unless nothing has changed since.
build_sluice() {
    local stamp=$root/.build/sluice.stamp log=$root/.build/sluice.log
    if is_built; then return; fi
    require_swift
    require_packages "${build_packages[@]}"
    say "building sluice (the first time takes a minute or two)"
    mkdir -p "$root/.build"
    # What changes while it builds is newer than this, and is built the next time.
    touch "$stamp.new"
    if ! build_release sluice >"$log"; then
        cat "$log" >&2
        fail "the build failed."
    fi
    stat -L -c '%i %s %y' "$binary" >"$stamp"
    touch -r "$stamp.new" "$stamp"
    rm -f "$stamp.new"
}

# Builds one product, always with the same options: others would build everything anew.
build_release() {
    swift build --package-path "$root" -c release --static-swift-stdlib --disable-local-rpath --product "$1" </dev/null 2>&1
}

# The version of sluice, from the one place that has it.
version_number() { sed -n 's/.*static let number = "\(.*\)"/\1/p' "$root/Sources/SluiceCommand/Text/Version.swift"; }

# Writes what the last debug build knows of the public declarations of the library's modules into a folder, as symbol
# graphs: declarations, comments and how they belong together.
#   symbol_graphs FOLDER
symbol_graphs() {
    local folder=$1 module map maps=()
    for map in Sources/C{Zstd,Xxhash,Zlib,Lzma,Lz4} .build/debug/C{Kernel,Stages}.build \
        .build/checkouts/swift-{system/Sources/CSystem,numerics/Sources/_NumericsShims}/include; do
        maps+=(-Xcc "-fmodule-map-file=$map/module.modulemap")
    done
    for module in Sluice ZstdCodec ForeignCodec; do
        swift-symbolgraph-extract -module-name "$module" -I .build/debug/Modules -target "$(uname -m)-unknown-linux-gnu" \
            "${maps[@]}" -minimum-access-level public -skip-synthesized-members -output-dir "$folder"
    done
}
