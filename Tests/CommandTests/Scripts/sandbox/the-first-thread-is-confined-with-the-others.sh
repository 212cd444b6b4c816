needs strace
corpus text 100K >a
works strace -f -qq -o trace -e trace=clone,clone3,landlock_restrict_self "$SLUICE" -q a
grep -q landlock_restrict_self trace || fail "it is not confined"
head -n 1 trace | grep -q landlock_restrict_self || fail "a thread is older than the sandbox"

# Who asks for no file's content waits for nothing.
works strace -f -qq -o trace -e trace=landlock_create_ruleset "$SLUICE" -V >/dev/null
[ ! -s trace ] || fail "--version asks for a sandbox"
