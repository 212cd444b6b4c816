# shellcheck shell=bash
# Sourced by setup.bash: what is linked into the command, with versions, by the list in packaging/parts.

# Prints the parts of a binary: name, version, licence, Debian's package and its version, with tabs between; the last two
# are "-" for what is not Debian's.
#   parts all|portable [GCC FOLDER]    with the version of a GCC whose packages are in the folder, and not installed
parts() {
    local kind=$1 gcc=${2:-} folder=${3:-} name where licence package version
    gcc=${gcc:-$(gcc -dumpversion)}
    while read -r name where licence package; do
        [[ -n $name && $name != '#'* && ($where == all || $kind == portable) ]] || continue
        package=${package/@GCC@/$gcc}
        if [[ $package == - ]]; then
            version=-
            printf '%s\t%s' "$name" "$(swift_part_version "$name")"
        else
            version=$(debian_version "$package" "$folder")
            printf '%s\t%s' "$name" "$(upstream_version "$version")"
        fi
        printf '\t%s\t%s\t%s\n' "${licence//_/ }" "$package" "$version"
    done <"$root/packaging/parts"
}

# The version of an installed package, or of one whose file is in the folder.
debian_version() {
    local package=$1 file
    for file in "${2:-/}/${package}"_*.deb; do
        if [[ -f $file ]]; then
            dpkg-deb -f "$file" Version
            return
        fi
    done
    # shellcheck disable=SC2016 # dpkg's own variable
    dpkg-query -W -f '${Version}' "$package" 2>/dev/null || echo unknown
}

# Without the epoch, what Debian has left out, and the number of its revision.
upstream_version() { sed -E 's/^[0-9]+://; s/-[^-]*$//; s/[.+~]dfsg.*//' <<<"$1"; }

# The version of Swift, or of a package that its package manager has chosen.
swift_part_version() {
    local version
    if [[ $1 == swift ]]; then
        version=$(swift --version 2>/dev/null </dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
    else
        version=$(sed -n "/\"identity\" : \"$1\"/,/\"version\"/s/.*\"version\" : \"\(.*\)\".*/\1/p" "$root/Package.resolved" 2>/dev/null)
    fi
    echo "${version:-unknown}"
}

# Makes an object with the names and versions of those parts that have no function for their version (CStart).
#   make_parts_object FILE [GCC FOLDER]
make_parts_object() {
    local file=$1 text
    text=$(parts all "${@:2}" | awk -F '\t' '$4 == "-" || $1 ~ /^lib(stdc|gcc)/ { printf "%s %s\\n", $1, $2 }')
    gcc -O2 -x c -c -o "$file" - <<<"const char sluice_parts[] = \"$text\";"
}
