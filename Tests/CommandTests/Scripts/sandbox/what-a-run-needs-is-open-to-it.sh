# Each command does and says the same in the sandbox and without it.
# Ten thousand small files are made: in memory if that is allowed.
mkdir disk
mount -t tmpfs -o size=512m tmpfs disk || true
cd disk

mkdir -p fresh/{in,out,elsewhere,many}
for name in in/a in/b elsewhere/c; do corpus text 20K >"fresh/$name"; done
for number in {1..101}; do echo "$number" >"fresh/many/$number"; done
ln -s ../elsewhere/c fresh/in/link
ln -s ../elsewhere/c fresh/many/link
ln -s ../elsewhere/pipe fresh/many/15.zst
ln -s nowhere fresh/in/dangling
ln -s in fresh/linked
mkfifo fresh/elsewhere/pipe fresh/in/pipe
mknod fresh/elsewhere/null c 1 3
"$SLUICE" -q fresh/in/a -o fresh/in/compressed.zst
echo old >fresh/out/old

sluice() { "$SLUICE" --no-sync "--$way" "$@"; }

# alike COMMANDS [CODE]: what the commands write, say and leave is the same, and the last one ends with this code. Which of
# two threads is first is chance: what differs once and not again was that.
alike() {
    local code way what
    is_alike "$1" || is_alike "$1" || fail "not the same with the sandbox ($what): $1"
    [ -z "${2-}" ] || [ "$code" = "$2" ] || fail "exit code $code instead of $2: $1: $(cat sandbox.said)"
}

is_alike() {
    for way in sandbox no-sandbox; do
        cp -a fresh run
        code=0
        (cd run && eval "$1") >"$way.out" 2>"$way.said" </dev/null || code=$?
        # Which of the ways it is, and how long it took, is not of interest, and which of the files that a run replaces it meets before that is chance.
        sed -i 's/ in [0-9.]* s.*//; s/; [0-9.]* s, .*//; /: unknown suffix, /d; /^not confined by Landlock: /d; s/ of [0-9]* files\( OK, [0-9]* failed\)\?: / of many files: /' "$way.said"
        (cd run && find . ! -type d -printf '%p %y %m %s\n' && find . -type f -exec sha256sum {} +) | sort >"$way.left"
        echo "exit code $code" >>"$way.left"
        rm -rf run
    done
    for what in said out left; do
        diff "no-sandbox.$what" "sandbox.$what" >&9 || return 1
    done
}

alike 'sluice in/a' 0
alike 'sluice -q in/a in/b elsewhere/c' 0
alike 'sluice --rm -q in/a in/b' 0
alike 'sluice -f --rm in/link' 0
alike 'sluice -f in/link in/a' 0
alike 'sluice in/link; sluice in/dangling; sluice -f in/dangling' 1
alike 'sluice linked/a; sluice linked/a linked/b' 1
alike 'sluice in/missing; sluice in/missing in/a; sluice nowhere/a in/a' 1
alike 'sluice in elsewhere/null elsewhere/nothing in/a' 1
alike 'sluice -d in/compressed.zst; sluice -d --rm in/compressed.zst -o out/a' 0
alike 'sluice in/a -o out/old; sluice -f in/a -o out/old; sluice in/b -o nowhere/b' 1
alike 'sluice -f in/a in/b -o out/both' 0
alike 'sluice -r in many; sluice -dr --rm many; sluice -tr many; sluice -lr many in' 1
alike 'sluice -qr many; sluice -dr many --output-dir-flat out; sluice -dr many --output-dir-mirror out/new/one' 1
alike 'sluice -qr many; sluice -drc many | wc -c; sluice -drf many; sluice -dr --rm many/../many in' 1
alike 'printf "in/a\0elsewhere/c\0" >names; sluice --filelist names; sluice -d --filelist <(find in elsewhere -name "*.zst")' 1
alike 'sluice -c in/link in/a | zstd -dc' 0
alike 'sluice in/a -o /dev/null; sluice in/a -o elsewhere/null; sluice in/a -o /dev/full' 1
alike 'sluice in/a -o /dev/stdout >out/through; sluice -d in/compressed.zst -o /dev/fd/5 5>out/fd' 0
alike 'sluice -c /dev/stdin <in/a; sluice -c /dev/fd/5 /dev/fd/6 5<in/a 6<elsewhere/c' 0
alike 'sluice -c <(cat in/a) <(cat in/b) | zstd -dc' 0
alike 'cat in/pipe >out/copy & cat in/a | sluice -o in/pipe; wait' 0
alike 'cat in/a >in/pipe & sluice -c in/pipe; wait' 0
alike 'cd elsewhere; exec 5<../in; cat c | sluice -o /proc/self/fd/5/made' 0
alike 'sluice -qf many/{1..101} & cat elsewhere/pipe >out/piped; wait $!' 0
alike 'sluice -qf --rm many/{1..101} many/link & cat elsewhere/pipe >out/piped; wait $!' 0
alike 'sluice -qt many/{1..101} many/link in/compressed.zst' 1
alike 'sluice -l in/compressed.zst; sluice -l in/compressed.zst in/a; sluice -lv <in/compressed.zst' 0
alike 'sluice in/a --stats-file elsewhere/s --trace out/t --report many/r && rm elsewhere/s out/t many/r' 0
alike 'sluice -f -c /dev/zero | head -c 1000 | wc -c' 141
alike 'sluice -c /proc/$$/environ | zstd -dc | wc -c; sluice -c /proc/version | zstd -dc' 0
alike 'umask 027; sluice -o out/masked <in/a; stat -c %a out/masked' 0
alike 'cd out; rm -rf ../out; sluice -o gone <../in/a; sluice ../in/a -c | wc -c'
