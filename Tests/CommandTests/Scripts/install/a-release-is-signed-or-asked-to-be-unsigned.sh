# A release without a key to sign with is refused, unless it is asked for; one that is there is named.
git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null || skip "this is no clone"
git clone -q "$ROOT" clone
release() { env -u BASH_ENV GNUPGHOME="$PWD/keys" GIT_CONFIG_GLOBAL="$PWD/config" clone/scripts/release "$@"; }
mkdir -m 700 keys
: >config
no_key='in the way: there is no key to sign with'
works release >/dev/null
says "$no_key"
# Not done even if nothing else is in the way.
version=$("$SLUICE" --version | cut -d ' ' -f 2)
sed -i "s/^## Unreleased ($version)/## $version (2026-01-01)/" clone/CHANGELOG.md
git -C clone -c user.name=Somebody -c user.email=somebody@example.org commit -qam 'A release'
exits 1 release --really
says "$no_key"
says 'nothing was done'
[ "$(grep -c 'in the way' "$messages")" = 1 ]
[ ! -e clone/.build ]
works release --unsigned >/dev/null
says ', unsigned'
if grep -q 'in the way' "$messages"; then fail "$(cat "$messages")"; fi
# A name alone is no key.
git config --file config user.signingKey somebody@example.org
exits 1 release --really
says "$no_key"
needs gpg
gpg --homedir keys --batch --quiet --passphrase '' --quick-generate-key somebody@example.org 2>&9
works release >/dev/null
says 'signed with somebody@example.org'
if grep -q 'in the way' "$messages"; then fail "$(cat "$messages")"; fi
gpgconf --homedir keys --kill all
