# What these scripts share.

# Makes a control group of the script's own, `$group`, whose memory the file `$limit` in it limits.
group=
for root in /sys/fs/cgroup/memory /sys/fs/cgroup; do
    [ -e "$root/cgroup.procs" ] && mkdir "$root/sluice-$$" 2>/dev/null || continue
    group=$root/sluice-$$
    limit=memory.max
    [ $root = /sys/fs/cgroup ] || limit=memory.limit_in_bytes
    if [ -e "$group/$limit" ]; then break; fi
    rmdir "$group"
    group=
done
[ -n "$group" ] || skip 'no control groups can be made here'
trap 'rmdir "$group"; rm -rf "$disk"' EXIT

# Pages of files in a tmpfs count against the group, and can't be dropped: the script's folder is to be on a disk.
disk=
if [[ $(stat -f -c %T .) == tmpfs ]]; then
    disk=$(mktemp -d /var/tmp/sluice.XXXXXX)
    [[ $(stat -f -c %T "$disk") != tmpfs ]] || skip 'all temporary files are in memory here'
    cd "$disk"
fi
