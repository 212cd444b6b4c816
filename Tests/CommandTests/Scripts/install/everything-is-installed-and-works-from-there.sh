# scripts/install, to its end, into a folder of its own.
# Only what is built is installed: while tests run, nothing can be built.
[ "$SLUICE" -ef "$ROOT/.build/sluice" ] || skip 'another binary is tested than the one that would be installed'
bash -c "source '$ROOT/scripts/setup.bash' && is_built" 2>/dev/null || skip 'the binary is not the one that scripts/sluice builds'
install() { env -u BASH_ENV bash "$ROOT/scripts/install" "$@"; }
install --prefix prefix --as-zstd >out 2>&1 || fail "$(cat out)"
cat >wanted <<'END'
bin/sluice
bin/sluicecat
bin/sluicegrep
bin/sluiceless
bin/unzstd
bin/zstd
bin/zstdcat
bin/zstdmt
share/bash-completion/completions/sluice
share/fish/vendor_completions.d/sluice.fish
share/man/man1/sluice.1
share/man/man1/sluicecat.1
share/man/man1/sluicegrep.1
share/man/man1/sluiceless.1
share/zsh/site-functions/_sluice
END
(cd prefix && find . -type f -o -type l) | sed 's/^..//' | sort >found
same found wanted
[ "$(stat -c %a prefix/bin/sluice prefix/share/man/man1/sluice.1 | paste -sd ' ')" = '755 644' ]
# The binary, by each of its names, from where it is.
corpus text 100K >a
works prefix/bin/sluice -q a
works prefix/bin/zstd -qf a -o b.zst
zstd -dqc b.zst | same /dev/stdin a
works prefix/bin/zstdmt -qkf a
works prefix/bin/unzstd -q b.zst -o c
same c a
prefix/bin/zstdcat a.zst | same /dev/stdin a
prefix/bin/zstd -V | grep -q '^\*\*\* Zstandard CLI'
# The manual page: without a warning, and with each option of the help.
page=prefix/share/man/man1/sluice.1
if command -v man >/dev/null; then
    man --warnings -l $page 2>warnings >/dev/null
    [ ! -s warnings ] || fail "$(cat warnings)"
    MANWIDTH=80 man -P cat -l $page 2>/dev/null | sed 's/.\x08//g' >text
    [ "$(wc -L <text)" -le 80 ] || fail 'it is wider than 80 columns'
    for title in NAME SYNOPSIS DESCRIPTION OPTIONS 'OTHER FORMATS' MEMORY SAFETY 'EXIT STATUS' ENVIRONMENT SIGNALS EXAMPLES 'SEE ALSO'; do
        grep -qx "$title" text || fail "no section $title"
    done
    prefix/bin/sluice --help | grep -oE -- '^ +(-., )?--[][a-zA-Z-]+' | grep -oE -- '--[][a-zA-Z-]+' | sed 's/\[$//' | sort -u >options
    [ "$(wc -l <options)" -gt 60 ] || fail "only $(wc -l <options) options in the help"
    while read -r option; do
        grep -qE -- "^ +(-., )?$(sed 's/[][]/\\&/g' <<<"$option")([=[ ]|$)" text || fail "$option is not in the manual page"
    done <options
fi
# Once more, over what is there; but not over another program.
install --prefix="$PWD/prefix" --as-zstd >out 2>&1 || fail "$(cat out)"
rm prefix/bin/zstd
cp /bin/true prefix/bin/zstd
if install --prefix prefix --as-zstd >out 2>&1; then fail 'another zstd was replaced'; fi
grep -q 'prefix/bin/zstd is there, and is not sluice' out
same prefix/bin/zstd /bin/true
# What can't be written is told before anything is done.
if setpriv --reuid=65534 --regid=65534 --clear-groups env -u BASH_ENV bash "$ROOT/scripts/install" --prefix /usr >out 2>&1; then
    fail 'installed without a right to'
fi
if install --no-such-option >out 2>&1; then fail 'an unknown word was passed over'; fi
