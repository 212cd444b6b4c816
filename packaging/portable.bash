# shellcheck shell=bash
# Sourced by scripts/package: links what was built anew, so that the binary runs where nothing but a C library is.

# Of the C library of this release, so that the binary runs there and on all that is newer.
oldest_release=bullseye
# The version of GCC, and the folder of its packages, whose C++ library was linked in, if that is not the installed one.
portable_gcc=()
oldest_packages=(libc6 libc6-dev libgcc-10-dev libgcc-s1 libstdc++-10-dev)

# Links the objects of the release build with libzstd, the allocator and the C++ library in the binary.
#
# What SwiftPM and Swift's own list say stays as it is: a linker takes texts in the place of libraries.
link_portable() {
    local target=$1 libraries=$work/libraries old=$root/.build/$oldest_release objects words=() library
    objects=$(dirname -- "$(readlink -f -- "$binary")")/sluice.product/Objects.LinkFileList
    replace_libraries "$libraries"
    for library in zstd xxhash z lzma lz4 jansson; do cp "$(library_file "lib$library.a")" "$libraries/"; done
    if fetch_old_release "$old"; then
        use_old_release "$old" "$libraries"
        portable_gcc=(10 "$old/apt/packages")
        words=(-Xclang-linker "--sysroot=$old" "$libraries/additions.o" -lpthread -ldl)
    else
        say "the C library of $oldest_release is not to be had: the archive needs the one that is here"
    fi
    swiftc -static-stdlib -emit-executable -o "$target" -module-name sluice -target "$(uname -m)-unknown-linux-gnu" \
        "${hidden_symbols[@]}" -Xlinker --gc-sections -Xlinker --defsym -Xlinker main=SluiceCommand_main "@$objects" -L "$libraries" \
        -lzstd -ljemalloc -l:libxxhash.a -l:libz.a -l:liblzma.a -l:liblz4.a -l:libjansson.a -lm "${words[@]}" >"$work/log" 2>&1 ||
        fail "can't link: $(grep -m 1 error "$work/log")"
    strip "$target"
}

# The libraries of the older release, by their own names there.
use_old_release() {
    local old=$1 libraries=$2 gcc system
    gcc=$old/usr/lib/gcc/$(gcc -dumpmachine)/10
    system=$old/lib/$(gcc -dumpmachine)
    replace_libraries "$libraries" "$gcc/libstdc++.a" "$gcc/libgcc_eh.a" 10 "$old/apt/packages"
    echo "INPUT ( $system/libpthread.so.0 )" >"$libraries/libpthread.so"
    echo "INPUT ( $system/libdl.so.2 )" >"$libraries/libdl.so"
    # The one function of the C++ library that Swift's runtime calls and that release does not have.
    g++ -O2 -x c++ -c -o "$libraries/additions.o" - <<'END'
#include <new>
namespace std { void __throw_bad_array_new_length() { throw bad_array_new_length(); } }
END
}

# Fetches the packages of the older release, signed as all of Debian's, from where this machine gets its own.
fetch_old_release() {
    local old=$1 apt=$1/apt site options package
    [[ -f $old/complete ]] && return 0
    # shellcheck disable=SC2016 # apt's own variable
    site=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | grep -v security | head -n 1)
    [[ -n $site ]] || return 1
    rm -rf -- "$old"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $oldest_release main" >"$apt/sources.list"
    options=(-q -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$apt/lists"
        -o "Dir::Cache=$apt/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update >"$apt/log" 2>&1 || return 1
    (cd "$apt/packages" && apt-get "${options[@]}" download "${oldest_packages[@]}") >>"$apt/log" 2>&1 || return 1
    for package in "$apt"/packages/*.deb; do dpkg-deb -x "$package" "$old" || return 1; done
    # A link to the system's own loader, which a linker would follow out of here.
    ln -sf "../lib/$(gcc -dumpmachine)/ld-2.31.so" "$old/lib64/ld-linux-x86-64.so.2"
    touch "$old/complete"
}

# The version of the C library that a binary asks for, which must be all that it asks for.
needed_libc() {
    local others
    others=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(lib(c|m|pthread|dl|util|rt)\.so|ld-linux)' || :)
    [[ -z $others ]] || fail "the binary needs more than a C library: $others"
    objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | cut -d _ -f 2
}
