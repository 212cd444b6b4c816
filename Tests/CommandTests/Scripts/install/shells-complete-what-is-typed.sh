# In a real terminal, by keys: what a person sees.
needs fish zsh
needs python3
mkdir home folder
export HOME=$PWD/home
for shell in bash zsh fish; do
    command -v $shell >/dev/null || continue
    case $shell in
    bash) name=sluice.bash ;;
    zsh) name=_sluice ;;
    fish) name=sluice.fish ;;
    esac
    "$SLUICE" --generate=complete-$shell >$name
    [ -e sluice ] || ln -s "$SLUICE" sluice
    export PATH=$PWD:$PATH
    if [ ! -e members.tar.zst ]; then
        mkdir sub 'sp ace'
        touch sub/thing 'sp ace/name'
        tar -cf members.tar sub/thing 'sp ace/name'
        works "$SLUICE" -q --members members.tar --rm
        rm -r sub 'sp ace'
    fi
    touch fichier.txt archive.zst archive.txt
    env -u BASH_ENV timeout 60 python3 -B "$SCRIPTS/install/type.py" $shell $name >out 2>&1 || fail "$shell: $(tail -n 20 out)"
done
