# Descriptors, signals, environment: as our caller has them.
probe='ls -l /proc/self/fd | grep -v "/proc/"; grep -E "^Sig(Blk|Ign|Cgt)|NoNewPrivs|Seccomp" /proc/self/status; env | grep -v "^_=" | sort; readlink /proc/self/fd/0 /proc/self/fd/2'
# glibc ignores its own two signals in what it spawns.
normal() { sed -E '/^SigIgn/s/0000000180/0000000000/; s/.* ([0-9]+ -> )(pipe|socket|anon_inode).*/\1\2/; s/.* ([0-9]+ -> )/\1/' "$1"; }
echo input >input
bash -c "$probe" <input 3<input 2>error | cat >bare
"$SLUICE" -qc --from-command -- bash -c "$probe" <input 3<input 2>error | zstd -dcq >got
diff <(normal bare) <(normal got)
# What our caller ignores stays ignored, and nothing else.
for names in HUP INT,PIPE USR2; do
    env --ignore-signal=$names bash -c "$probe" <input 3<input 2>error | cat >bare
    env --ignore-signal=$names "$SLUICE" -qc --from-command -- bash -c "$probe" <input 3<input 2>error | zstd -dcq >got
    diff <(normal bare) <(normal got)
done
# It reads our standard input, and writes to our standard error.
"$SLUICE" -qc --from-command -- sh -c 'cat; echo told >&2' <input 2>told | zstd -dcq | cmp - input
[ "$(cat told)" = told ]
# We are confined as ever, it is not.
if "$SLUICE" -vv -c input 2>&1 >/dev/null | grep -q '^confined by Landlock'; then
    "$SLUICE" -vv -c --from-command -- cat input 2>said >/dev/null
    "$SLUICE" -vv -c input 2>bare >/dev/null
    diff <(grep Landlock bare) <(grep Landlock said)
fi
