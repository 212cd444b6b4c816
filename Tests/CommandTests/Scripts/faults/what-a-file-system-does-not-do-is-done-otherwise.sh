# Calls that a file system, or what confines the process, does not know, and without which it works as well.
needs strace
corpus text 300K >a
for n in {1..5}; do corpus text 3000 >"f$n"; done
without() {
    local call=$1 error=$2
    shift 2
    strace -f -qq -y -o "$LOGS/strace" -e trace="$call,fsync,unlink" -e "inject=$call:error=$error" "$@"
}

# No links, as in a profile of AppArmor: that is found out before the work.
for error in EPERM ENOSYS; do
    for words in 'a -o out' '-f a -o out' '-f --verify=file a -o out'; do
        # shellcheck disable=SC2086 # several words
        works without linkat $error "$SLUICE" -q $words
        silent
        zstd -dcq out | cmp - a
        no_leftovers
    done
    rm out
    works without linkat $error "$SLUICE" -q <a -o out
    works without linkat $error "$SLUICE" -q -d -f -o back out
    same back a
    works without linkat $error "$SLUICE" -q -f f*
    for n in {1..5}; do zstd -dcq "f$n.zst" | cmp - "f$n"; done
    no_leftovers
    rm out ./*.zst
done

# Neither links nor a rename that does not replace, as in a folder of some clouds: without -f too.
works strace -f -qq -o "$LOGS/strace" -e trace=linkat,renameat2 -e inject=linkat:error=ENOSYS -e inject=renameat2:error=EINVAL \
    "$SLUICE" -q a f*
for name in a f{1..5}; do zstd -dcq "$name.zst" | cmp - "$name"; done
no_leftovers
echo old >a.zst
fails strace -f -qq -o "$LOGS/strace" -e trace=linkat,renameat2 -e inject=linkat:error=ENOSYS -e inject=renameat2:error=EINVAL \
    "$SLUICE" -q a </dev/null
[ "$(cat a.zst)" = old ]
rm ./*.zst

# No sync of a file system as a whole: each file is synced before the first source goes.
works without syncfs ENOSYS "$SLUICE" -q --rm f*
silent
for n in {1..5}; do zstd -tq "f$n.zst"; done
absent f{1..5}
[ "$(awk '/unlink\("f[0-9]"/ { exit } /fsync\(/' "$LOGS/strace" | grep -c .)" -ge 5 ] ||
    fail "not each file was synced: $(cat "$LOGS/strace")"

# No locks, as on Lustre, or NFS without lockd.
for error in ENOLCK ENOSYS; do
    works without flock $error "$SLUICE" --resume a
    says "warning: a.zst: can't be locked: nothing keeps another process from making it too"
    zstd -dcq a.zst | cmp - a
    absent .a.zst.part .a.zst.part.note
    rm a.zst
done
