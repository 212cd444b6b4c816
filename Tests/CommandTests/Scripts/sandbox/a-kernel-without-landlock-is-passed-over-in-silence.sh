needs strace
corpus text 100K >a

# Old, without it, behind a filter, too deep in sandboxes, and with no descriptor left for one file.
for fault in landlock_create_ruleset:error={ENOSYS,EOPNOTSUPP,EPERM} landlock_restrict_self:error=E2BIG \
    landlock_add_rule:error=ENOMEM prctl:error=EINVAL capset:error=EPERM; do
    works strace -f -qq -o /dev/null -e "inject=$fault" "$SLUICE" -q -f --no-sync a
    silent
    works strace -f -qq -o /dev/null -e "inject=$fault" "$SLUICE" -q -dc a.zst >out
    silent
    same out a
done
works strace -f -qq -o /dev/null -e inject=landlock_create_ruleset:error=ENOSYS "$SLUICE" -tv a.zst
says "not confined by Landlock: function not implemented"
works strace -qq -o trace -e trace=landlock_create_ruleset "$SLUICE" -t --no-sandbox a.zst
[ ! -s trace ] || fail "it asks for a sandbox that was refused"
# One that claims more than it takes (RHEL 9 claims the scopes of version 6) is asked for less, step by step.
works "$SLUICE" -tvv a.zst
version=$(strace -f -qq -e trace=landlock_create_ruleset "$SLUICE" -qt a.zst 2>&1 | sed -n 's/.*VERSION) = //p')
[ "${version:-0}" -ge 6 ] || skip "this kernel has version ${version:-0} of Landlock"
says 'confined by Landlock: files, renaming, truncating, TCP, devices, sockets and signals'
asked() { works strace -f -qq -o trace -e trace=landlock_create_ruleset,landlock_restrict_self -e "inject=landlock_create_ruleset:error=EINVAL:when=2..$1" "$SLUICE" -tv a.zst; }
asked 2
grep -qx 'confined by Landlock: files, renaming, truncating, TCP, devices' "$messages" || fail "$(cat "$messages")"
says 'not confined by Landlock: sockets and signals'
grep -q 'landlock_restrict_self(.*= 0' trace
asked 6
says 'not confined by Landlock: renaming, truncating, TCP, devices, sockets and signals'
asked 7
says 'not confined by Landlock: invalid argument'
