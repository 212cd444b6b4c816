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
