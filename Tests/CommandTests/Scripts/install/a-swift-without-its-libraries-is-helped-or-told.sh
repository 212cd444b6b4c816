# A fresh Debian lacks shared libraries that an archive of Swift does not bring, and without them `swift --version` is silent
# and ends with 127. The scripts say so before anything else, and as root install what is missing.
mkdir -p clone toolchain bin state
cp -R "$ROOT/scripts" "$ROOT/packaging" clone
mkdir -p clone/Sources/SluiceCommand/Terminal
cp "$ROOT/Package.swift" clone
cat >toolchain/swift <<'END'
#!/bin/bash
if [ -e "$STATE/libncurses6" ]; then echo "Swift version ${VERSION-6.3.1}"; exit; fi
echo 'swift: error while loading shared libraries: libncurses.so.6: cannot open shared object file' >&2
exit 127
END
# What the system says of it, and how it installs.
cat >bin/ldd <<'END'
#!/bin/bash
for name in libncurses.so.6:libncurses6 libsqlite3.so.0:libsqlite3-0 ${UNKNOWN:+libstrange.so.9:none}; do
    if [ -e "$STATE/${name#*:}" ]; then echo "	${name%:*} => /lib/${name%:*}"; else echo "	${name%:*} => not found"; fi
done
END
cat >bin/dpkg-query <<'END'
#!/bin/bash
if [ -e "$STATE/${*: -1}" ]; then printf 'installed '; else exit 1; fi
END
cat >bin/apt-get <<'END'
#!/bin/bash
for word; do case $word in lib*) touch "$STATE/$word" ;; esac; done
END
chmod +x toolchain/swift bin/*
export STATE=$PWD/state
# What a script needs of Swift, and then that it has come so far.
cat >clone/scripts/try <<'END'
source "$(dirname -- "$0")/setup.bash"
require_swift
echo ready
END
try() { env -u BASH_ENV PATH="$PWD/bin:$PWD/toolchain:$PATH" "$@" bash clone/scripts/try; }

# Without root, or where nothing is to be installed: the packages by name, first of all.
refuses try SLUICE_NO_INSTALL=yes
try SLUICE_NO_INSTALL=yes 2>said || true
grep -qx 'try: packages are missing, and nothing is to be installed: libncurses6 libsqlite3-0' said || fail "$(cat said)"
absent state/libncurses6
# As root they come.
[ "$(id -u)" = 0 ] || skip 'only root installs packages'
try >out 2>said || fail "$(cat said)"
grep -qx ready out
grep -qx 'try: installing libncurses6 libsqlite3-0' said
[ -e state/libsqlite3-0 ]
# A library whose package is not known here is named itself.
refuses try UNKNOWN=yes
try UNKNOWN=yes 2>said || true
grep -q 'need libraries that are not installed: libstrange.so.9' said || fail "$(cat said)"
# One that is too old, or does not tell: a sentence, not silence.
for version in 6.2 nothing; do
    refuses try VERSION=$version
    try VERSION=$version 2>said || true
    grep -q 'try: Swift 6.3 or later is needed.*swift.org/install' said || fail "$(cat said)"
done
# Each script that builds asks for Swift before it installs anything else.
for script in "$ROOT"/scripts/*; do
    awk '/require_swift|build_sluice/ { swift = swift ? swift : NR } /^ *require_packages/ && !/require_packages python3 strace zstd|golang/ { packages = packages ? packages : NR }
        END { exit packages && (!swift || swift > packages) }' "$script" || [[ $script == */setup.bash ]] || fail "$script"
done
