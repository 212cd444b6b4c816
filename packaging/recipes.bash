# shellcheck shell=bash
# Sourced by scripts/package: what the recipes of the packages have in common, from one list each.

# Prints the fields of a kind of package for what is in packaging/needs.
#   needs deb|rpm|arch
needs() {
    sed 's/#.*//' "$root/packaging/needs" | while read -r how debian rpm arch reason; do
        case $1 in
        deb) [[ -z $how ]] || printf '%s: %s\n' "${how^}" "$debian" ;;
        rpm) [[ -z $how ]] || printf '%s: %s\n' "${how^}" "$rpm" ;;
        arch) [[ -z $how ]] || printf '%s: %s\n' "$arch" "$reason" ;;
        esac
    done
}

# Debian has one field of a name, with commas; Arch one array.
needs_of_deb() { needs deb | awk -F ': ' '{ all[$1] = all[$1] (all[$1] ? ", " : "") $2 } END { for (name in all) print name ": " all[name] }' | LC_ALL=C sort; }
needs_of_arch() { printf 'optdepends=(%s)\n' "$(needs arch | sed "s/.*/'&'/" | paste -sd ' ')"; }

# Prints the licences of a list of parts, and ours, each once.
licenses_of() { { echo Apache-2.0; cut -f 3 "$1"; } | LC_ALL=C sort -u; }

summary() { sed -n 1p "$root/packaging/description"; }
description() { sed 1d "$root/packaging/description"; }

# Fills in a recipe: each line that is @NAME@ alone becomes the text, also of several lines; elsewhere it has one.
#   fill RECIPE NAME=TEXT...
fill() {
    local text name value
    text=$(<"$1")
    for name in "${@:2}" "VERSION=$version" "SUMMARY=$(summary)" "MAINTAINER=$(<"$root/packaging/maintainer")"; do
        value=${name#*=}
        name=@${name%%=*}@
        text=${text//"$name"/"$value"}
    done
    ! grep -oE '@[A-Z_]+@' <<<"$text" >&2 || fail "$1 has places that nothing fills"
    printf '%s\n' "$text"
}

# Writes the list of what is linked in that each package has, and holds it against what the binary says.
#   write_libraries PARTS BINARY FILE
write_libraries() {
    local list=$1 binary=$2 name part_version license package package_version
    {
        printf 'What is linked into the binary of sluice %s; sluice -V -v prints the versions, too.\n\n' "$version"
        while IFS=$'\t' read -r name part_version license package package_version; do
            printf '%s %s, %s' "$name" "$part_version" "$license"
            [[ $package == - ]] || printf ', from %s %s of Debian' "$package" "$package_version"
            echo
        done <"$list"
    } >"$3"
    run_built "$binary" -vV | sed -n 's/ (linked in)$//p' | LC_ALL=C sort >"$work/told"
    cut -f 1,2 "$list" | tr '\t' ' ' | LC_ALL=C sort | diff - "$work/told" >&2 || fail "$binary -V -v and the list of what is linked in differ"
}

# In the form of the archive's folders; the licences of the parts are those of the packages that they come from.
make_rpm() {
    local archive_tree=$1 list=$2 top=$work/rpm
    rpm=$output/sluice-$version-1.$(uname -m).rpm
    mkdir -p "$top"
    fill "$root/packaging/sluice.spec" "NEEDS=$(needs rpm)" "DESCRIPTION=$(description)" "PLACE=$(<"$root/packaging/place")" \
        "LICENSES=$(licenses_of "$list" | sed 's/.* WITH .*/(&)/' | paste -sd '@' | sed 's/@/ AND /g')" \
        "BUNDLED=$(awk -F '\t' '{ print "Provides: bundled(" $1 ") = " $2 }' "$list")" >"$top/sluice.spec"
    HOME=$top rpmbuild -bb --define "_topdir $top" --define "archive $archive_tree" --define "_rpmdir $top" \
        "$top/sluice.spec" >"$work/log" 2>&1 || fail "can't make $rpm: $(tail -n 2 "$work/log")"
    cp -- "$top/$(uname -m)/$(basename -- "$rpm")" "$rpm"
    say "made $rpm"
}

# A recipe of Arch Linux, which makes a package of the archive beside it.
make_pkgbuild() {
    local archive=$1 libc=$2 list=$3
    fill "$root/packaging/PKGBUILD" "NEEDS=$(needs_of_arch)" "PLACE=$(<"$root/packaging/place")" "LIBC=$libc" \
        "MACHINE=$(uname -m)" "LICENSES=$(licenses_of "$list" | sed "s/.*/'&'/" | paste -sd ' ')" \
        "SUM=$(sha256sum <"$archive" | cut -d ' ' -f 1)" >"$output/PKGBUILD"
    say "made $output/PKGBUILD"
}
