# shellcheck shell=bash
# Sourced by the other scripts: finds Swift, installs the packages that are missing, and builds the release binary.
# It talks on standard error only, and never reads standard input, which belongs to the command.

set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd -P)
# The release binary: a link that each build sets, since only SwiftPM knows where it builds.
binary=$root/.build/sluice

# shellcheck source-path=SCRIPTDIR source=../packaging/parts.bash
source "$root/packaging/parts.bash"

# What every build needs: a linker with the C library, git for the packages, libzstd, what makes its checksums, the
# allocator, and the libraries of the other formats that are read.
build_packages=(g++ git libcurl4-openssl-dev libzstd-dev libxxhash-dev libjemalloc-dev zlib1g-dev liblzma-dev liblz4-dev libjansson-dev)
# What checks and the scripts of a quick test call or load; e2fsprogs brings mkfs.ext4, util-linux script, setpriv and unshare.
# shellcheck disable=SC2034 # for scripts/test and the Containerfile
check_packages=(e2fsprogs libisal2 procps python3 shellcheck strace util-linux zstd)
# What the scripts of a run without words call besides: zstd brings pzstd; bindfs is a file system of FUSE; binutils
# brings ar; libarchive-tools bsdtar; tabix bgzip; the rest are what their names say.
# shellcheck disable=SC2034
script_packages=(acl apache2-bin attr bindfs binutils bzip2 cpio curl dpkg fish gnupg gzip less libarchive-tools logrotate lz4 man-db nginx-light
    parallel python3-jsonschema python3-venv python3-zstandard rsync tabix tar time tmux xz-utils zsh)
# What those of a long run call besides: a browser, a cluster, and readers of Zstandard.
# shellcheck disable=SC2034
long_packages=(chromium munge nodejs python3-zstd slurm-wlm zst)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# Puts a Swift of version 6.3 or later into PATH, with the shared libraries that its programs need, or ends with what to do.
require_swift() {
    local swiftly=${SWIFTLY_BIN_DIR:-${XDG_DATA_HOME:-${HOME:-}/.local/share}/swiftly/bin}
    local get="get it from swift.org/install, and put it into PATH." version
    if ! command -v swift >/dev/null && [[ -x $swiftly/swift ]]; then PATH=$swiftly:$PATH; fi
    command -v swift >/dev/null || fail "Swift 6.3 or later is needed: $get"
    require_toolchain_libraries
    version=$(swift --version 2>/dev/null </dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1) || true
    if [[ -z $version || $(printf '%s\n' 6.3 "$version" | sort -V | head -n 1) != 6.3 ]]; then
        fail "Swift 6.3 or later is needed, $(command -v swift) is ${version:-one that does not tell its version}: $get"
    fi
}

# Installs the packages with the libraries that an archive of Swift does not bring along, or ends with their names. In a
# fresh system not even `swift --version` runs without them.
require_toolchain_libraries() {
    local folder lacking packages
    folder=$(dirname -- "$(readlink -f -- "$(command -v swift)")")
    lacking=$(toolchain_lacks "$folder")
    [[ -n $lacking ]] || return 0
    mapfile -t packages < <(library_packages "$lacking")
    if ((${#packages[@]})); then require_packages "${packages[@]}"; fi
    lacking=$(toolchain_lacks "$folder")
    # shellcheck disable=SC2086 # a word for each
    [[ -z $lacking ]] || fail "Swift's programs in $folder need libraries that are not installed:" $lacking
}

# The shared libraries that programs of a toolchain need, and that are not there, a line for each.
toolchain_lacks() {
    local name
    for name in swift swift-frontend swift-package clang lld; do
        [[ ! -x $1/$name ]] || ldd "$1/$name" 2>/dev/null || true
    done | awk '/=> not found/ { print $1 }' | sort -u
}

# The Debian packages that have libraries, as far as it is known here. From Debian 13 on some have another name.
library_packages() {
    local name
    for name in $1; do
        case $name in
        libncurses*.so.6 | libtinfo.so.6) echo libncurses6 ;;
        libsqlite3.so.0) echo libsqlite3-0 ;;
        libxml2.so.2) echo libxml2 ;;
        libcurl.so.4) echo libcurl4 ;;
        libedit.so.2) echo libedit2 ;;
        libz.so.1) echo zlib1g ;;
        libstdc++.so.6) echo libstdc++6 ;;
        libuuid.so.1) echo libuuid1 ;;
        esac
    done | sort -u
}

# Prints those of some Debian packages that are not installed. Without dpkg, what needs them says what it misses.
missing_packages() {
    local package missing=()
    command -v dpkg-query >/dev/null || return 0
    for package in "$@"; do
        # shellcheck disable=SC2016 # dpkg's own variable
        # One word for each architecture: "not-installed" is one of them.
        [[ " $(dpkg-query -W -f '${db:Status-Status} ' "$package" 2>/dev/null)" == *" installed "* ]] || missing+=("$package")
    done
    printf '%s' "${missing[*]}"
}

# Installs Debian packages that are missing; without root, ends with the command that does.
require_packages() {
    local missing
    read -ra missing <<<"$(missing_packages "$@")"
    ((${#missing[@]})) || return 0
    [[ -z ${SLUICE_NO_INSTALL-} ]] || fail "packages are missing, and nothing is to be installed: ${missing[*]}"
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

# Whether the release binary is the one that the last build left, and nothing that it is made from is newer.
is_built() {
    local stamp=$root/.build/sluice.stamp
    [[ -x $binary && -f $stamp && $(<"$stamp") == "$(stat -L -c '%i %s %y' "$binary")" ]] &&
        [[ -z $(find "$root/Package.swift" "$root/Sources" "$root/scripts/setup.bash" "$root"/packaging/parts* -newer "$stamp" -print -quit) ]]
}

# Builds the release binary, with Swift's libraries linked in, unless nothing has changed since.
build_sluice() {
    local stamp=$root/.build/sluice.stamp log=$root/.build/sluice.log
    if is_built; then return; fi
    require_swift
    require_packages "${build_packages[@]}"
    say "building sluice (the first time takes some minutes)"
    mkdir -p "$root/.build"
    # What changes while it builds is newer than this, and is built the next time.
    touch "$stamp.new"
    : >"$log"
    watch_log "$log"
    if ! build_release sluice >"$log"; then
        stop_watching
        cat "$log" >&2
        fail "the build failed."
    fi
    stop_watching
    ln -sfn -- "$(build_folder -c release)/sluice" "$binary"
    stat -L -c '%i %s %y' "$binary" >"$stamp"
    touch -r "$stamp.new" "$stamp"
    rm -f "$stamp.new"
}

# Shows how far a command is that writes to a log, until `stop_watching`: on a terminal the last line of the log, in place,
# and elsewhere that line every 30 seconds.
watch_log() {
    local log=$1 columns='' since=$SECONDS
    stop_watching
    if [[ -t $watch_fd ]]; then columns=$(tput cols 2>/dev/null || echo 80); fi
    # At its parent's end it ends itself: a job in the background does not hear Ctrl-C. Its last sleep may outlive it, and
    # must not keep anybody's pipe open.
    while kill -0 $$ 2>/dev/null; do
        if [[ -n $columns ]]; then
            sleep 1 2>/dev/null 3>&-
            printf '\r%.*s\033[K' $((columns - 1)) "$(last_line "$log")" >&"$watch_fd"
        else
            sleep 30 2>/dev/null 3>&-
            printf '%s: still at it after %d s: %s\n' "${0##*/}" $((SECONDS - since)) "$(last_line "$log")" >&"$watch_fd"
        fi
    done </dev/null >/dev/null &
    watcher=$!
}
watcher=
# Where progress is shown.
watch_fd=2

stop_watching() {
    [[ -n $watcher ]] || return 0
    { kill "$watcher" && wait "$watcher"; } 2>/dev/null || true
    watcher=
    if [[ -t $watch_fd ]]; then printf '\r\033[K' >&"$watch_fd"; fi
}

# The last line that is complete and says something, without what a terminal would obey.
last_line() { tail -c 4096 -- "$1" 2>/dev/null | tr -d '\033\r' | grep -av '^ *$' | tail -n 1 | cut -c 1-160 || true; }

# Runs what was built without preloaded libraries: faketime's (scripts/package --twice) asks for memory while it starts, as
# the allocator asks it for the time, and neither ends.
run_built() { env -u LD_PRELOAD "$@"; }

# Builds one product, always with the same options: others would build everything anew.
build_release() {
    local libraries=$root/.build/libraries
    # What the build is made of is known before it is linked.
    swift package --package-path "$root" resolve </dev/null 2>&1 || return
    replace_libraries "$libraries" || return
    swift build --package-path "$root" -c release --static-swift-stdlib --disable-local-rpath \
        --pkg-config-path "$libraries" -Xlinker "-L$libraries" "${hidden_symbols[@]}" "${direct_types[@]}" "${no_patterns[@]}" \
        --product "$1" </dev/null 2>&1
}

# The folder that SwiftPM builds into, of this package or another one; it differs between versions and build systems.
#   build_folder [--package-path DIR] [--scratch-path DIR] [-c release]
build_folder() { swift build --package-path "$root" "$@" --show-bin-path </dev/null 2>/dev/null; }

# Generic types are made by calls of the functions that make them. By their names, which Swift otherwise looks up, and as
# copies that are put into the binary, they take a third of the start (docs/decisions/starts.md).
direct_types=(-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
    -Xswiftc -Xfrontend -Xswiftc -disable-generic-metadata-prespecialization)

# One call of the module of regular expressions (firstRange(of:), replacing) links all of it, and costs every
# start the relocation of its tables. Without the implicit import such a call is an error of the compiler.
no_patterns=(-Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import)

# Swift exports all symbols of a program, which its runtime looks through when it starts. What a library calls, such as
# malloc, stays exported.
hidden_symbols=(-Xlinker --no-export-dynamic)

# Fills a folder with texts that a linker reads in the place of shared libraries, for the files that they name: the
# allocator, the C++ library and all libraries but libzstd become part of the binary, where the loader need not look up
# their symbols. As shared libraries they would cost every start their loading (docs/decisions/foreign-formats.md).
# Package.swift names them as usual, for programs that use the library, and for builds without these scripts.
#
# Besides, it gets descriptions for pkg-config that lead there: Debian's own would put the system's folder first.
#
# The allocator is one object. Swift hides the symbols of archives, and the C library's own strdup would call another
# malloc than our free.
# A text with the versions of what is linked in becomes part of it, too. By default the C++ library is that of the
# compiler that is installed; that of another version of GCC has its packages in a folder.
#   replace_libraries FOLDER [LIBSTDC++ LIBGCC GCC PACKAGES]
replace_libraries() {
    local folder=$1 cxx=${2:-$(library_file libstdc++.a)} gcc=${3:-$(library_file libgcc_eh.a)} package name
    if [[ ! -f $folder/jemalloc.o ]]; then
        mkdir -p "$folder/jemalloc"
        (cd "$folder/jemalloc" && ar x "$(library_file libjemalloc_pic.a)" && rm -f jemalloc_cpp*)
        ld -r -o "$folder/jemalloc.o" "$folder"/jemalloc/*.o || return
    fi
    make_parts_object "$folder/parts.o" "${@:4}" || return
    echo "INPUT ( $folder/jemalloc.o $folder/parts.o )" >"$folder/libjemalloc.so"
    echo "INPUT ( $cxx )" >"$folder/libstdc++.so"
    echo "INPUT ( $gcc )" >"$folder/libgcc_s.so"
    while read -r package name; do
        printf 'Name: %s\nDescription: for the command\nVersion: 0\nLibs: -L%s -l%s\n' "$package" "$folder" "$name" >"$folder/$package.pc"
        [[ $name == zstd ]] || echo "INPUT ( $(library_file "lib$name.a") )" >"$folder/lib$name.so"
    done <<'END'
libzstd zstd
libxxhash xxhash
zlib z
liblzma lzma
liblz4 lz4
jansson jansson
END
}

library_file() { gcc -print-file-name="$1"; }

# Builds the tests, unless whoever calls has done that: their modules tell what is public.
build_tests() { [[ -n ${SLUICE_TESTS_BUILT-} ]] || swift build --build-tests </dev/null >&2; }

# Runs tests, so many at a time: all at once, they would wait for their turn longer than their limit of
# time where the machine is busy.
run_tests() {
    swift test --disable-xctest --parallel --experimental-maximum-parallelization-width $((2 * $(nproc) + 1)) "$@" </dev/null
}

# An object store and a schema's validator are in PyPI only: they come into an environment of their own. Where that can't
# be reached, what needs them is skipped, and says so.
#   make_python [OTHERS...]      others than the object store, such as kubernetes-validate
python=$root/.build/python
make_python() {
    local complete=$python/complete$*
    if [[ -e $complete ]]; then return; fi
    mkdir -p "$root/.build"
    [[ -x $python/bin/pip ]] || /usr/bin/python3 -m venv --system-site-packages "$python" || return 1
    timeout 300 "$python/bin/pip" install -q 'moto[s3]>=5,<6' flask flask-cors boto3 "$@" && touch "$python/complete" "$complete"
}

# The version of sluice, from the one place that has it.
version_number() { sed -n 's/.*static let number = "\(.*\)"/\1/p' "$root/Sources/SluiceCommand/Terminal/Version.swift"; }

# The modules that have public declarations, as a program sees them: those of the engine are Sluice's.
library_modules=(Sluice Archives ByteStreams ZstdCodec RemoteSources)

# Where a compiler finds the modules of the last debug build, in the array `modules`. SwiftPM makes maps of those of C, in
# a place that depends on its build system.
find_modules() {
    local built map name
    built=$(build_folder)
    modules=(-I "$built/Modules" -I "$built" -target "$(uname -m)-unknown-linux-gnu")
    for name in C{Curl,Isal,Kernel,Stages}; do
        for map in "$built/$name.build/module.modulemap" "$built"/../../Intermediates.noindex/GeneratedModuleMaps-*/"$name.modulemap"; do
            [[ ! -e $map ]] || modules+=(-Xcc "-fmodule-map-file=$map")
        done
    done
    for map in Sources/C{Zstd,Xxhash,Zlib,Lzma,Lz4,Jansson} .build/checkouts/swift-{system/Sources/CSystem,numerics/Sources/_NumericsShims}/include; do
        modules+=(-Xcc "-fmodule-map-file=$map/module.modulemap")
    done
}

# Writes what the last debug build knows of the public declarations of the library's modules into a folder, as symbol
# graphs: declarations, comments and how they belong together.
#   symbol_graphs FOLDER
symbol_graphs() {
    local folder=$1 module modules
    find_modules
    for module in "${library_modules[@]}" SluiceEngine; do
        swift-symbolgraph-extract -module-name "$module" "${modules[@]}" -minimum-access-level public \
            -skip-synthesized-members -output-dir "$folder"
    done
    env -u BASH_ENV python3 "$root/packaging/engine-graphs.py" "$folder"
}
