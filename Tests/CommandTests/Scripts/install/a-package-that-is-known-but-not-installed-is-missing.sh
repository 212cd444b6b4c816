# dpkg has a word for each state, and "installed" is part of several.
dpkg-query() {
    case ${*: -1} in
    here) printf 'installed ' ;;
    twice) printf 'installed installed ' ;;
    known) printf 'not-installed ' ;;
    removed) printf 'config-files ' ;;
    half) printf 'half-installed ' ;;
    *) return 1 ;;
    esac
}
# shellcheck source=scripts/setup.bash
missing=$(source "$ROOT/scripts/setup.bash" && missing_packages here twice known removed half unknown)
[ "$missing" = 'known removed half unknown' ] || fail "$missing"
