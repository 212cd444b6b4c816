# The sums and the tag have signatures that GnuPG and git accept; with --unsigned, neither has one.
needs gpg
git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null || skip "this is no clone"
# The names of sockets are short.
GNUPGHOME=$(mktemp -d /tmp/gpg.XXXXXX)
export GNUPGHOME
trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
export GIT_CONFIG_GLOBAL=$PWD/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --file gitconfig user.name Tester
git config --file gitconfig user.email tester@example.org
git config --file gitconfig user.signingKey tester@example.org
git clone -q "$ROOT" clone
version=$(env -u BASH_ENV bash -c 'source clone/scripts/setup.bash && version_number')
# It is a release, with packages that are made at once.
sed -i 's/^## Unreleased (\(.*\))/## \1/' clone/CHANGELOG.md
cat >clone/scripts/package <<'STUB'
#!/bin/bash
mkdir -p "$2"
for name in a.deb a.rpm a.tar.gz PKGBUILD a.spdx.json; do echo "$name" >"$2/$name"; done
STUB
git -C clone -c commit.gpgSign=false commit -qam release
release() { env -u BASH_ENV clone/scripts/release --really --output "$PWD/out" "$@"; }

works release --unsigned
[ -e out/SHA256SUMS ]
[ ! -e out/SHA256SUMS.asc ]
refuses git -C clone tag -v "v$version"
git -C clone tag -d "v$version" >&2

gpg --batch --quiet --pinentry-mode loopback --passphrase '' --quick-gen-key 'Tester <tester@example.org>' ed25519 sign never 2>&9
works release
gpg --verify out/SHA256SUMS.asc out/SHA256SUMS 2>&9 || fail "the signature of the sums is not right"
git -C clone tag -v "v$version" 2>&9 >&2 || fail "the signature of the tag is not right"
(cd out && sha256sum -c --quiet SHA256SUMS)
cut -d ' ' -f 3 out/SHA256SUMS | sort >found
printf '%s\n' a.deb a.rpm a.tar.gz PKGBUILD a.spdx.json | sort >wanted
same found wanted
echo more >>out/SHA256SUMS
refuses gpg --verify out/SHA256SUMS.asc out/SHA256SUMS
